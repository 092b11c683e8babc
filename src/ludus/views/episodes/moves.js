// The list of moves: only the rows in sight are in the page, so that thousands of moves cost nothing.

import { badge, made, shade, spokenTime } from "./panels.js";

const ROW = 30.4; // pixels of a row: 1.9rem

/** Rows of cells, each {place, moves}: two players in turn share a row, all others have a row for each step. */
function rowsOf(steps, seats, opening) {
  const rows = [];
  let seat = Infinity;
  for (const { place, moves } of steps) {
    const single = seats === 2 && moves.length === 1 && moves[0].seat >= 0;
    if (!single || moves[0].seat <= seat || rows.at(-1).cells.length > 1) rows.push({ cells: [] });
    rows.at(-1).cells.push({ place, moves, opening: place <= opening });
    seat = single ? moves[0].seat : Infinity;
  }
  return rows;
}

/** Show the moves of an episode in an element; `nameOf(place)` is the hash of a position and its number. */
export function moveList(place, { steps, players, opening, nameOf, jump }) {
  const rows = rowsOf(steps, players.length, opening);
  const rowOf = new Map(rows.flatMap((row, index) => row.cells.map((cell) => [cell.place, index])));
  const space = place.appendChild(made("div", "moves-space"));
  space.style.height = `${rows.length * ROW}px`;
  let here = 0;
  let top = 0; // as scrolled: reading it from the page would make the browser lay out everything for each move
  let height = place.clientHeight;
  const drawn = new Map();
  const links = new Map();

  function cellOf({ place: at, moves, opening: isOpening }) {
    const link = made("a", "move");
    link.href = `#${nameOf(at)}`;
    links.set(at, link);
    if (at === here) mark(at, true);
    link.classList.toggle("opening", isOpening);
    for (const move of moves) {
      if (move.seat < 0) {
        link.classList.add("chance");
        link.append(made("span", "", "chance "), made("b", "", move.text));
        continue;
      }
      if (moves.length > 1) {
        const dot = link.appendChild(made("i", "dot"));
        dot.style.background = shade(players[move.seat]);
        dot.title = players[move.seat].name;
      } else if (players.length > 2) link.append(badge(players[move.seat], move.seat));
      link.append(made("b", "", move.text || "–"));
      if (move.fault) link.append(made("span", "fault", move.fault));
    }
    const timed = moves.filter((move) => move.time !== undefined && move.seat >= 0);
    if (timed.length) {
      const time = link.appendChild(made("span", "time", spokenTime(Math.max(...timed.map((move) => move.time)))));
      const left = timed.filter((move) => move.left !== undefined);
      if (left.length) time.title = left.map((move) => `${spokenTime(move.left)} left`).join(", ");
      if (left.length && moves.length === 1) time.textContent += ` · ${spokenTime(left[0].left)}`;
    }
    link.addEventListener("click", (event) => {
      event.preventDefault();
      jump(at);
    });
    return link;
  }

  function mark(at, on) {
    links.get(at)?.classList.toggle("here", on);
    if (on) links.get(at)?.setAttribute("aria-current", "true");
    else links.get(at)?.removeAttribute("aria-current");
  }

  function draw() {
    const first = Math.max(0, Math.floor(top / ROW) - 4);
    const end = Math.min(rows.length, Math.ceil((top + height) / ROW) + 4);
    for (const [index, row] of drawn) {
      if (index < first || index >= end) {
        row.remove();
        drawn.delete(index);
        for (const cell of rows[index].cells) links.delete(cell.place);
      }
    }
    for (let index = first; index < end; index += 1) {
      if (drawn.has(index)) continue;
      const row = space.appendChild(made("div", "moves-row"));
      row.style.top = `${index * ROW}px`;
      row.append(made("span", "number", nameOf(rows[index].cells[0].place)));
      const cells = row.appendChild(made("div", "moves-cells"));
      for (const cell of rows[index].cells) cells.append(cellOf(cell));
      drawn.set(index, row);
    }
  }

  place.addEventListener(
    "scroll",
    () => {
      top = place.scrollTop;
      draw();
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    height = place.clientHeight;
    draw();
  }).observe(place);
  return {
    /** Mark a position, and scroll there if it is out of sight. */
    show(at) {
      const hadFocus = space.contains(document.activeElement);
      mark(here, false);
      here = at;
      const row = rowOf.get(at) ?? 0;
      if ((row + 2) * ROW > top + height || row * ROW < top + ROW) {
        top = Math.min(Math.max(0, (row + 0.5) * ROW - height / 2), Math.max(0, rows.length * ROW - height));
        place.scrollTop = top;
        draw();
      }
      mark(here, true);
      if (hadFocus) links.get(here)?.focus({ preventScroll: true });
    },
  };
}
