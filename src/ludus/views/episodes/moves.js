// The list of moves: only the rows in sight are in the page, so that thousands of moves cost nothing.

import { badge, made, spokenTime } from "./panels.js";

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
  let drawn = new Map();

  function cellOf({ place: at, moves, opening: isOpening }) {
    const link = made("a", "move");
    link.href = `#${nameOf(at)}`;
    link.classList.toggle("here", at === here);
    if (at === here) link.setAttribute("aria-current", "true");
    link.classList.toggle("opening", isOpening);
    for (const move of moves) {
      if (move.seat < 0) {
        link.classList.add("chance");
        link.append(made("span", "", "chance "), made("b", "", move.text));
        continue;
      }
      if (moves.length > 1) {
        const dot = link.appendChild(made("i", "dot"));
        dot.style.background = players[move.seat].colour;
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

  function draw(anew = false) {
    const first = Math.max(0, Math.floor(place.scrollTop / ROW) - 4);
    const end = Math.min(rows.length, Math.ceil((place.scrollTop + place.clientHeight) / ROW) + 4);
    for (const [index, row] of drawn) {
      if (anew || index < first || index >= end) {
        row.remove();
        drawn.delete(index);
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

  place.addEventListener("scroll", () => draw(), { passive: true });
  new ResizeObserver(() => draw()).observe(place);
  return {
    /** Mark a position, and scroll there if it is out of sight. */
    show(at) {
      const hadFocus = space.contains(document.activeElement);
      here = at;
      const row = rowOf.get(at) ?? 0;
      if ((row + 1) * ROW > place.scrollTop + place.clientHeight - ROW || row * ROW < place.scrollTop + ROW) {
        place.scrollTop = Math.max(0, (row + 0.5) * ROW - place.clientHeight / 2);
      }
      draw(true);
      if (hadFocus) space.querySelector(".here")?.focus({ preventScroll: true });
    },
  };
}
