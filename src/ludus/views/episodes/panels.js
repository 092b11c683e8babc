// The players beside the board, and everything known of one move.

/** A new element with a class and a text. */
export function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Nanoseconds in words. */
export function spokenTime(nanoseconds) {
  if (nanoseconds < 1e3) return `${Math.round(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${rounded(nanoseconds / 1e3)} µs`;
  if (nanoseconds < 1e9) return `${rounded(nanoseconds / 1e6)} ms`;
  if (nanoseconds < 60e9) return `${rounded(nanoseconds / 1e9)} s`;
  const seconds = Math.floor(nanoseconds / 1e9);
  const rest = String(seconds % 60).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${rest}`;
  return `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}:${rest}`;
}

function rounded(number) {
  return number < 9.95 ? number.toFixed(1).replace(/\.0$/, "") : String(Math.round(number));
}

/** A number or a text that an agent reported, short. */
export function spoken(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  return size >= 0.001 || size === 0 ? Number(value.toPrecision(3)).toString() : value.toExponential(1);
}

/** The colour of a player, lighter on a dark page if it is dark. */
export function shade({ colour, dark }) {
  return `light-dark(${colour}, ${dark ?? colour})`;
}

/** A disc in the colour of a player with its number. */
export function badge(player, seat) {
  const disc = made("span", "badge", String(seat + 1));
  disc.style.background = shade(player);
  disc.style.color = player.ink;
  return disc;
}

/** The list of players. `show(states, last, end)` tells of a position. */
export function playerPanels(list, players) {
  const panels = players.map((player, seat) => {
    const item = list.appendChild(made("li", "player"));
    const head = item.appendChild(made("div", "player-head"));
    head.append(badge(player, seat));
    const name = head.appendChild(made("span", "player-name", player.name));
    name.title = player.agent;
    const clock = head.appendChild(made("span", "clock"));
    const score = head.appendChild(made("span", `player-score${player.won ? " won" : ""}`));
    return {
      item,
      clock,
      score,
      facts: item.appendChild(made("div", "player-facts")),
      line: item.appendChild(made("div", "player-line")),
    };
  });
  return {
    /** `state` is [movers, [status, gauge, out], …], `last` the last move of each seat, `scores` the end if it is one. */
    show(state, last, scores) {
      panels.forEach((panel, seat) => {
        const [status, gauge, out] = state[seat + 1];
        const move = out ? undefined : last[seat];
        panel.item.classList.toggle("to-move", state[0].includes(seat));
        panel.item.classList.toggle("is-out", out);
        panel.clock.textContent = move?.left !== undefined ? spokenTime(move.left) : "";
        panel.score.textContent = scores ? scores[seat] : "";
        panel.facts.replaceChildren();
        if (status) panel.facts.append(made("span", "", status));
        if (gauge) panel.facts.append(pips(gauge, shade(players[seat])));
        fact(panel.facts, "", move?.text);
        fact(panel.facts, "eval", move?.measures?.evaluation);
        fact(panel.facts, "depth", move?.measures?.depth);
        fact(panel.facts, "nodes", move?.measures?.nodes);
        if (move?.time !== undefined) fact(panel.facts, "", spokenTime(move.time), false);
        panel.line.textContent = move?.measures?.line ?? "";
        panel.line.title = panel.line.textContent;
      });
    },
  };
}

function fact(place, name, value, strong = true) {
  if (value === undefined || value === "") return;
  const shown = place.appendChild(made("span", "", name ? `${name} ` : ""));
  shown.append(strong ? made("b", "", spoken(value)) : spoken(value));
}

function pips([filled, count], colour) {
  const row = made("span", "gauge");
  for (let pip = 0; pip < count; pip += 1) {
    const mark = row.appendChild(document.createElement("i"));
    if (pip < filled) mark.style.background = colour;
  }
  return row;
}

/** Everything recorded of the moves of a step: times, metrics, faults with their evidence. */
export function showDetails(place, moves, players) {
  place.replaceChildren();
  if (!moves.length) place.append(made("p", "note", "Nobody moved before this position."));
  for (const move of moves) {
    const who = move.seat < 0 ? "chance" : players[move.seat].name;
    place.append(made("h3", "", `${who}: ${move.text || "no move"}`));
    if (move.fault) {
      place.append(made("p", "error", move.text ? `A random move, instead of: ${move.fault}.` : `Fault: ${move.fault}.`));
      if (move.evidence) place.append(made("pre", "log", move.evidence));
    }
    const rows = Object.entries(move.metrics ?? {});
    if (move.time !== undefined) rows.unshift(["time", spokenTime(move.time)]);
    if (!rows.length) continue;
    const table = place.appendChild(made("table", "narrow"));
    for (const [name, value] of rows) {
      const row = table.insertRow();
      const head = row.appendChild(made("th", "words", name.replaceAll("_", " ")));
      head.scope = "row";
      row.append(made("td", "words", spoken(value)));
    }
  }
}
