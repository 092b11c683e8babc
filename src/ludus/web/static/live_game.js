// The page of one live game: board, players with clocks, last moves, pause.

import { mount } from "./board.js";
import { Film } from "./film.js";
import { watch } from "./live.js";
import { made, playerPanels, spokenTime } from "./panels.js";

const MOST_MOVES = 400; // rows of the list
const SPEAK_AFTER = 1000; // milliseconds between two announcements
const byId = (id) => document.getElementById(id);

const page = byId("live");
const skew = Number(page.dataset.now) - Date.now(); // of the site's clock
let game = null; // the last full message, with what has changed since
let film = null;
let board = null;
let panels = null;
let paused = null; // the position at which the viewer stopped
let spokenAt = 0;
let toSay = "";

function receive(message) {
  if (message.error) {
    note(message.error);
    return;
  }
  if (message.full) begin(message);
  else Object.assign(game, pick(message, ["clock", "result", "scores", "trouble", "waiting"]));
  if (message.frames?.length) {
    film.add(message);
    board.add(message.shapes);
    board.look(film.view);
    list(message.moves);
  }
  note(game.trouble || game.waiting || "");
  show();
}

function pick(message, names) {
  return Object.fromEntries(names.filter((name) => name in message).map((name) => [name, message[name]]));
}

function begin(message) {
  game = { players: [], clock: null, result: "", scores: null, trouble: "", waiting: "", ...message };
  game.last = game.players.map(() => null);
  film = new Film(0);
  board?.destroy();
  board = mount(byId("board"));
  if (paused !== null) pause(false);
  byId("moves").replaceChildren();
  byId("players").replaceChildren();
  panels = playerPanels(byId("players"), game.players);
  if (game.players.length) {
    const names = game.players.flatMap((player, seat) => (seat ? [made("span", "versus", " – "), player.name] : [player.name]));
    byId("names").replaceChildren(...names);
  }
  byId("title").textContent = game.game ? game.game.title : "";
}

function list(moves) {
  const rows = byId("moves");
  const atEnd = rows.scrollHeight - rows.scrollTop - rows.clientHeight < 40;
  for (const move of moves) {
    const who = game.players[move.seat]?.name ?? "chance";
    const row = made("div", "live-move");
    row.append(made("span", "number", move.round ? String(move.round) : ""), made("span", "who", who), made("b", "", move.text));
    if (move.fault) {
      const fault = made("span", "fault", move.fault);
      fault.title = move.evidence;
      row.append(fault);
    }
    if (move.time) row.append(made("span", "time", spokenTime(move.time)));
    rows.append(row);
    if (move.seat >= 0) game.last[move.seat] = move;
    toSay = `${who}: ${move.text || move.fault}`;
  }
  while (rows.childElementCount > MOST_MOVES) rows.firstChild.remove();
  if (atEnd) rows.scrollTop = rows.scrollHeight;
}

function show() {
  if (!film?.loaded) return;
  const last = film.loaded - 1;
  const place = paused ?? last;
  board.show(film.frames[place]);
  byId("text").textContent = film.text(place);
  byId("result").textContent = place === last ? game.result : "";
  byId("stored").hidden = !(game.result && game.episode);
  if (game.episode) byId("stored").href = `/episodes/${game.episode}`;
  byId("behind").textContent = place < last ? `${last - place} behind` : "";
  panels.show(film.states[place], game.last, place === last ? game.scores : null);
  tick();
  speak();
}

function speak() {
  const now = performance.now();
  const words = game.result || toSay;
  if (!words || paused !== null || (now - spokenAt < SPEAK_AFTER && !game.result)) return;
  spokenAt = now;
  toSay = "";
  if (byId("said").textContent !== words) byId("said").textContent = words;
}

/** Show the clocks: what is left, or else for how long a player has been thinking. */
function tick() {
  if (!film?.loaded) return;
  const clock = paused === null ? game.clock : null;
  const [movers] = film.states.at(-1);
  [...byId("players").children].forEach((row, seat) => {
    const thinks = clock !== null && clock.seat !== null && (movers.length > 1 ? movers.includes(seat) : clock.seat === seat);
    const spent = thinks ? Math.max(0, Date.now() + skew - clock.since) : 0;
    const limit = clock?.left ? clock.left[seat] : thinks ? clock.granted : null;
    let words = "";
    if (limit !== null && limit !== undefined) words = spokenTime(1e6 * Math.max(0, limit - spent));
    else if (thinks && spent >= 1000) words = spokenTime(1e6 * spent);
    row.querySelector(".clock").textContent = words;
  });
}

function note(words) {
  byId("note").textContent = words;
  byId("note").hidden = !words;
}

function pause(stop) {
  paused = stop && film?.loaded ? film.loaded - 1 : null;
  byId("pause").setAttribute("aria-pressed", String(paused !== null));
  byId("pause").textContent = paused === null ? "Pause" : "Resume";
}

byId("pause").addEventListener("click", () => {
  pause(paused === null);
  show();
});
byId("show-text").addEventListener("change", (event) => {
  byId("text").classList.toggle("hidden-text", !event.target.checked);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target.closest("button, input, select, a, summary")) return;
  event.preventDefault();
  byId("pause").click();
});
addEventListener("live", (event) => {
  byId("lost").hidden = event.detail.online;
});
setInterval(() => {
  if (!document.hidden) {
    tick();
    if (film?.loaded) speak();
  }
}, 200);
watch(page.dataset.topic, receive);
