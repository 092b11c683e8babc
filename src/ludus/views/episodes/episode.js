// The page of an episode: replay, moves, players, charts, and a tree of variations.

import { asked } from "./asking.js";
import { mount } from "./board.js";
import { chart } from "./chart.js";
import { Film } from "./film.js";
import { moveList } from "./moves.js";
import { playerPanels, shade, showDetails, spoken, spokenTime } from "./panels.js";
import { PlayOn } from "./play_on.js";
import { tileWall } from "./tiles.js";

const LONGEST = 60; // seconds of an episode at speed 1
const SLOWEST = 1; // positions a second
const QUIET = 300; // milliseconds after which a position is announced and named in the address
const LEAP = 10;

const byId = (id) => document.getElementById(id);

/** The data of the page: from the page itself, if it is a file, or from the site. */
function source() {
  const kept = byId("episode-data");
  if (kept) {
    const data = JSON.parse(kept.textContent);
    return {
      api: null,
      head: async () => data.head,
      piece: async (number) => data.pieces[number],
      layer: async (place, name) => data.layers?.[`${place}:${name}`] ?? null,
    };
  }
  const api = byId("episode").dataset.api;
  return {
    api,
    head: () => asked(api),
    piece: (number) => asked(`${api}/film?piece=${number}`),
    layer: (place, name) => asked(`${api}/layer?place=${place}&name=${name}`),
  };
}

class Replay {
  constructor(data, from) {
    this.data = data;
    this.from = from;
    this.last = data.positions - 1;
    this.place = 0;
    this.film = new Film(data.positions);
    this.playing = null;
    this.layer = null; // its name
    this.variation = null; // shown instead of a position of the episode
    this.board = mount(byId("board"));
    this.other = mount(byId("board"));
    this.other.svg.hidden = true;
    this.board.add(this.film.shapes);
    this.movesAt = Array.from({ length: data.positions }, () => []);
    for (const move of data.moves) this.movesAt[move.place].push(move);
    this.names = this.numbered();
    this.lastMoves = this.latest();
  }

  /** Load all pieces of the film, one after the other. */
  async load() {
    const pieces = Math.ceil(this.data.positions / this.data.piece);
    for (let number = 0; number < pieces; number += 1) {
      const piece = await this.from.piece(number);
      const known = this.film.shapes.length;
      this.film.add(piece);
      this.board.add(this.film.shapes.slice(known));
      this.board.look(this.film.view);
      const waiting = this.place >= number * this.data.piece && this.place < this.film.loaded;
      if (waiting || number === 0) this.show(this.place);
      this.tiles?.refresh();
    }
  }

  /** The number of each position in addresses: of its last move, with a fraction for steps of chance after it. */
  numbered() {
    const names = [];
    let steps = 0;
    this.data.rounds.forEach((round, place) => {
      steps = place && round === this.data.rounds[place - 1] ? steps + 1 : 0;
      names.push(steps ? `${round}.${steps}` : `${round}`);
    });
    return names;
  }

  /** For each position the last move of each seat. */
  latest() {
    let now = this.data.players.map(() => undefined);
    return this.movesAt.map((moves) => {
      for (const move of moves) if (move.seat >= 0) now = now.with(move.seat, move);
      return now;
    });
  }

  go(place, { quietly = false } = {}) {
    if (!quietly) this.stop();
    this.variation = null;
    this.place = Math.min(this.last, Math.max(0, place));
    this.show(this.place);
  }

  /** One position back or on: of the variation, if one is shown. */
  step(by) {
    if (!this.variation || !this.playOn.step(by)) this.go(this.place + (this.variation ? 0 : by));
  }

  show(place) {
    byId("slider").value = place;
    byId("slider").setAttribute("aria-valuetext", this.where(place));
    byId("where").textContent = this.where(place);
    this.moves?.show(place);
    for (const each of this.charts ?? []) each.mark(place);
    this.tiles?.show(place);
    this.playOn?.moved();
    if (byId("details").closest("details").open) this.detail();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), QUIET);
    if (place >= this.film.loaded) {
      this.note("This part of the episode is loading …");
      return;
    }
    if (!this.variation) {
      this.draw(place);
      const scores = place === this.last ? this.data.players.map((player) => player.score) : null;
      this.panels.show(this.film.states[place], this.lastMoves[place], scores);
      byId("text").textContent = this.film.text(place);
    }
  }

  draw(place) {
    this.other.svg.hidden = true;
    this.board.svg.style.display = "";
    this.other.svg.style.display = "none";
    this.board.show(this.film.frames[place]);
    this.note("");
    if (this.layer) this.drawLayer(place);
  }

  /** Draw shapes that are not of the film: a variation, or a position with a layer. */
  drawOther(shapes, view, { onPaper = false } = {}) {
    this.other.destroy();
    this.other = mount(byId("board"), { view, shapes });
    this.other.show([[0, shapes.length - 1]]);
    this.other.svg.classList.toggle("on-paper", onPaper);
    this.board.svg.style.display = "none";
  }

  async drawLayer(place) {
    const name = this.layer;
    const next = this.movesAt[place + 1] ?? [];
    const offered = next.some((move) => move.layers?.includes(name));
    if (!offered) {
      const isEnd = place === this.last;
      this.note(isEnd ? "Nobody moves after the end." : `No '${name}' was recorded for this move.`, !isEnd);
      return;
    }
    try {
      const found = await this.from.layer(place, name);
      if (this.layer !== name || this.place !== place || this.variation) return;
      if (!found) {
        this.note("This file has only the layers of earlier moves.");
        return;
      }
      this.drawOther(found.shapes, found.view ?? this.film.view, { onPaper: true });
      this.note(`${name} of ${this.data.players[found.seat].name}: ${this.data.layers[name]}${found.anew ? " (asked again)" : ""}.`);
    } catch (error) {
      this.note(error.message);
    }
  }

  /** A sentence below the board; `askable` adds a button that asks the agent again. */
  note(text, askable = false) {
    const place = byId("board-note");
    place.hidden = !text;
    place.textContent = text;
    if (!askable || !this.from.api) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Ask the agent again";
    button.addEventListener("click", () => this.askAgain());
    place.append(" ", button);
  }

  async askAgain() {
    const { place, layer } = this;
    this.note("The agent is thinking …");
    try {
      const found = await asked(`${this.from.api}/ask-again`, { place, name: layer });
      if (this.place !== place || this.layer !== layer) return;
      this.drawOther(found.shapes, found.view, { onPaper: true });
      this.note(`${layer} of ${this.data.players[found.seat].name}: ${this.data.layers[layer]} (asked again).`);
    } catch (error) {
      this.note(error.message);
    }
  }

  where(place) {
    const word = this.data.game.word;
    const name = this.names[place];
    const total = this.data.rounds.at(-1).toLocaleString("en-US");
    return place === 0 ? `start of ${total} ${word}s` : `${word} ${name} of ${total}`;
  }

  /** The moves that led to a position, as a sentence. */
  sentence(place) {
    const parts = this.movesAt[place].map((move) => {
      const who = move.seat < 0 ? "chance" : this.data.players[move.seat].name;
      return `${who} ${move.text || "made no move"}${move.fault ? ` (${move.fault})` : ""}`;
    });
    const end = place === this.last ? ` ${this.data.result}` : "";
    return `${this.where(place)}${parts.length ? `: ${parts.join(", ")}.` : "."}${end}`;
  }

  settle() {
    if (this.playing || this.variation) return;
    byId("said").textContent = this.sentence(this.place);
    byId("board").setAttribute("aria-label", `Board after ${this.where(this.place)}; its text form follows`);
    const hash = this.place === 0 && !location.hash ? "" : `#${this.names[this.place]}`;
    if (hash && hash !== location.hash) history.replaceState(null, "", hash);
  }

  detail() {
    showDetails(byId("details"), this.movesAt[this.place], this.data.players);
  }

  get rate() {
    return Math.max(SLOWEST, this.data.positions / LONGEST) * Number(byId("speed").value);
  }

  play() {
    if (this.playing) {
      this.stop();
      return;
    }
    if (this.variation || this.place === this.last) this.go(this.variation ? this.place : 0);
    this.setPlaying(true);
    let due = performance.now() + 1000 / this.rate;
    const tick = (now) => {
      if (!this.playing) return;
      const steps = Math.floor(((now - due) * this.rate) / 1000) + 1;
      if (steps > 0 && this.place + 1 < this.film.loaded) {
        due += (steps * 1000) / this.rate;
        this.go(Math.min(this.place + steps, this.film.loaded - 1), { quietly: true });
      } else if (steps > 1) due = now; // the film is still loading
      if (this.place === this.last) this.stop();
      else this.playing = requestAnimationFrame(tick);
    };
    this.playing = requestAnimationFrame(tick);
  }

  stop() {
    if (!this.playing) return;
    cancelAnimationFrame(this.playing);
    this.setPlaying(false);
    this.settle();
  }

  setPlaying(on) {
    this.playing = on ? 1 : null;
    const button = document.querySelector("[data-do=play]");
    button.setAttribute("aria-pressed", on);
    button.setAttribute("aria-label", on ? "Stop" : "Play");
  }

  /** The place that a hash such as #12 names, or null. */
  named(hash) {
    const place = this.names.indexOf(hash.replace(/^#/, ""));
    return place < 0 ? null : place;
  }
}

function controls(replay) {
  const actions = {
    first: () => replay.go(0),
    back: () => replay.step(-1),
    play: () => replay.play(),
    forward: () => replay.step(1),
    last: () => replay.go(replay.last),
    full: () => (document.fullscreenElement ? document.exitFullscreen() : byId("stage").requestFullscreen?.()),
    leapBack: () => replay.go(replay.place - LEAP),
    leapOn: () => replay.go(replay.place + LEAP),
  };
  const keys = {
    ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last",
    PageUp: "leapBack", PageDown: "leapOn", " ": "play", f: "full",
  };
  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    const { target } = event;
    if (target.matches("input:not([type=checkbox], #slider), textarea, select, [contenteditable]")) return;
    if (event.key === " " && target.matches("button, summary, input:not(#slider)")) return;
    if (event.key.startsWith("Page") && !target.matches("body, #slider, #moves, .move, button")) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  const slider = byId("slider");
  let wanted = null;
  slider.addEventListener("input", () => {
    if (wanted === null) {
      requestAnimationFrame(() => {
        replay.go(wanted);
        wanted = null;
      });
    }
    wanted = Number(slider.value);
  });
  addEventListener("hashchange", () => {
    const place = replay.named(location.hash);
    if (place !== null && place !== replay.place) replay.go(place);
  });
}

function views(replay) {
  byId("show-text").addEventListener("change", ({ target }) => byId("text").classList.toggle("hidden-text", !target.checked));
  byId("show-tiles").addEventListener("change", ({ target }) => {
    const place = byId("tiles");
    place.hidden = !target.checked;
    if (target.checked && !replay.tiles) {
      const places = replay.names.flatMap((name, at) => (name.includes(".") ? [] : [at]));
      const jump = (at) => replay.go(at);
      replay.tiles = tileWall(place, { film: replay.film, places, nameOf: (at) => replay.names[at], jump });
      replay.tiles.show(replay.place);
    }
  });
  byId("details").closest("details").addEventListener("toggle", () => replay.detail());
  const recorded = new Set(replay.data.moves.flatMap((move) => move.layers ?? []));
  const offered = Object.keys(replay.data.layers).filter((name) => recorded.has(name) || replay.data.askable);
  for (const name of offered) {
    const label = byId("layers").appendChild(document.createElement("label"));
    const box = label.appendChild(Object.assign(document.createElement("input"), { type: "checkbox", name: "layer" }));
    label.append(` ${name[0].toUpperCase()}${name.slice(1)}`);
    label.title = replay.data.layers[name];
    box.addEventListener("change", () => {
      for (const other of byId("layers").querySelectorAll("input")) if (other !== box) other.checked = false;
      replay.layer = box.checked ? name : null;
      replay.go(replay.place);
    });
  }
  byId("copy")?.addEventListener("click", async () => {
    try {
      const { position } = await asked(`${replay.from.api}/position?place=${replay.place}`);
      await navigator.clipboard.writeText(position);
      byId("copied").textContent = position.length < 100 ? `Copied: ${position}` : "Copied.";
    } catch (error) {
      byId("copied").textContent = error.message;
    }
  });
}

function charts(replay) {
  const { players, moves } = replay.data;
  const kinds = [
    { title: "Time to move", scale: "log", of: (move) => move.time, write: spokenTime },
    { title: "Evaluation", of: (move) => move.measures?.evaluation, write: spoken },
    { title: "Nodes", scale: "log", of: (move) => move.measures?.nodes, write: spoken },
  ];
  replay.charts = [];
  for (const { of, ...options } of kinds) {
    const series = players.map((player, seat) => ({
      name: player.name,
      colour: player.colour,
      shade: shade(player),
      points: moves.filter((move) => move.seat === seat && Number.isFinite(of(move))).map((move) => [move.place, of(move)]),
    }));
    if (!series.some(({ points }) => points.length > 1)) continue;
    const made = chart({ ...options, series, last: replay.last, jump: (place) => replay.go(place) });
    replay.charts.push(made);
    byId("trends").append(made.element);
  }
}

async function start() {
  const from = source();
  const replay = new Replay(await from.head(), from);
  const { data } = replay;
  replay.panels = playerPanels(byId("players"), data.players);
  const steps = replay.movesAt.map((moves, place) => ({ place, moves })).filter(({ moves }) => moves.length);
  const { players, opening } = data;
  const jump = (place) => replay.go(place);
  replay.moves = moveList(byId("moves"), { steps, players, opening, nameOf: (place) => replay.names[place], jump });
  charts(replay);
  controls(replay);
  views(replay);
  if (from.api) replay.playOn = new PlayOn(replay, byId("play-on"));
  replay.place = replay.named(location.hash) ?? 0;
  await replay.load();
  byId("episode").dataset.ready = "true";
}

start().catch((error) => {
  const place = byId("board-note");
  place.hidden = false;
  place.textContent = `The episode could not be shown: ${error.message}`;
  console.error(error);
});
