// Boards of what is being played, each as it is now; a click leads to the whole game.
import { mount } from "./board.js";
import { Film } from "./film.js";
import { watch } from "./live.js";

function make(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

/** A board that follows a feed until it is stopped. */
function follow(address) {
  const card = make("a", "card live");
  card.href = `/live/${address}`;
  const names = make("strong", "names");
  const place = make("div", "live-board");
  const result = make("span", "note");
  card.append(place, names, result);
  let film = null;
  let board = null;
  const stop = watch(`game/${address}`, (message) => {
    if (message.full) {
      film = new Film(0);
      board?.destroy();
      board = mount(place);
      names.textContent = (message.players ?? []).map((player) => player.name).join(" – ");
      card.setAttribute("aria-label", `Watch ${names.textContent}`);
      result.textContent = "";
    }
    if (message.frames?.length && film) {
      film.add(message);
      board.add(message.shapes);
      board.look(film.view);
      board.show(film.frames.at(-1));
    }
    if (message.result !== undefined) result.textContent = message.result ?? "";
  });
  return { card, stop };
}

/** Show boards of the wanted runs in a part of the page, up to a maximum; hide the part if there are none. */
export function showFeeds(part, most, wanted, onRuns = () => {}) {
  const grid = part.querySelector("div");
  const shown = new Map();
  watch("runs", ({ runs }) => {
    const found = new Set();
    for (const run of runs ?? []) {
      if (!run.alive || !wanted(run)) continue;
      for (const feed of run.feeds) if (found.size < most) found.add(`${run.id}/${feed.name}`);
    }
    for (const [address, { card, stop }] of shown) {
      if (found.has(address)) continue;
      stop();
      card.remove();
      shown.delete(address);
    }
    for (const address of found) {
      if (shown.has(address)) continue;
      const followed = follow(address);
      shown.set(address, followed);
      grid.append(followed.card);
    }
    grid.dataset.number = shown.size;
    part.hidden = !shown.size;
    onRuns(runs ?? []);
  });
}
