// All positions of an episode as small boards; only those in sight are drawn.

import { mount } from "./board.js";
import { made } from "./panels.js";

/** Fill an element with a tile for each of `places`; `nameOf(place)` is its number, `jump(place)` is called on a click. */
export function tileWall(place, { film, places, nameOf, jump }) {
  const tiles = new Map();
  const boards = new Map();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) draw(target);
        else remove(target);
      }
    },
    { root: place, rootMargin: "200px" },
  );

  function draw(tile) {
    const at = Number(tile.dataset.place);
    if (boards.has(tile) || at >= film.loaded) return;
    const board = mount(tile, { view: film.view, shapes: film.shapes });
    board.show(film.frames[at]);
    boards.set(tile, board);
  }

  function remove(tile) {
    boards.get(tile)?.destroy();
    boards.delete(tile);
  }

  for (const at of places) {
    const tile = place.appendChild(made("button", "tile"));
    tile.type = "button";
    tile.dataset.place = at;
    tile.append(made("span", "", nameOf(at)));
    tile.setAttribute("aria-label", `Go to ${nameOf(at)}`);
    tile.addEventListener("click", () => jump(at));
    tiles.set(at, tile);
    watcher.observe(tile);
  }
  let here = null;
  return {
    show(at) {
      here?.removeAttribute("aria-current");
      here = tiles.get(at) ?? null;
      here?.setAttribute("aria-current", "true");
    },
    /** Draw tiles in sight that were waiting for their piece of the film. */
    refresh() {
      const box = place.getBoundingClientRect();
      for (const tile of tiles.values()) {
        const { top, bottom } = tile.getBoundingClientRect();
        if (bottom > box.top - 200 && top < box.bottom + 200) draw(tile);
      }
    },
  };
}
