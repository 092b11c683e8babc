// A tree, not only a line: play on from any position, by hand or by an agent. Nothing is stored; it lasts as the page.

import { asked } from "./asking.js";
import { badge, made, spoken } from "./panels.js";

const SVG = "http://www.w3.org/2000/svg";

/** A position of a variation: `step` are the moves that led here, `position` what the site says of it. */
class Node {
  constructor(parent, place, step, position) {
    this.parent = parent;
    this.place = place; // of the episode, where the variation begins
    this.step = step;
    this.position = position;
    this.children = [];
  }

  /** All moves since the place of the episode. */
  get steps() {
    return this.parent ? [...this.parent.steps, this.step] : [];
  }
}

export class PlayOn {
  constructor(replay, place) {
    this.replay = replay;
    this.api = replay.from.api;
    this.roots = new Map(); // place -> the node of the episode's own position
    this.node = null;
    this.chosen = []; // the moves of seats that move at once, so far
    this.clicked = []; // targets of a move with several, such as from and to
    place.hidden = false;
    this.opener = place.appendChild(made("button", "", "Play on from here"));
    this.opener.type = "button";
    this.opener.addEventListener("click", () => this.open());
    this.body = place.appendChild(made("div"));
    this.message = place.appendChild(made("p", "note"));
    this.message.setAttribute("role", "status");
    this.tree = place.appendChild(made("div"));
  }

  say(text, isError = false) {
    this.message.textContent = text;
    this.message.classList.toggle("error", isError);
  }

  /** The page went to another position of the episode. */
  moved() {
    if (this.replay.variation || this.body.childElementCount === 0) return;
    this.close();
  }

  close() {
    this.running = false;
    this.node = null;
    this.body.replaceChildren();
    this.opener.hidden = false;
    this.opener.disabled = this.replay.place === this.replay.last && this.replay.data.ending === "rules";
    this.replay.board.svg.querySelectorAll(".target").forEach((target) => target.remove());
    this.say("");
    this.drawTree();
  }

  async open() {
    const { place } = this.replay;
    this.replay.stop();
    try {
      this.agents ??= (await asked(`${this.api}/agents`)).agents;
      const known = this.roots.get(place);
      const root = known ?? new Node(null, place, null, await asked(`${this.api}/play`, { place, steps: [] }));
      this.roots.set(place, root);
      if (this.replay.place === place) this.visit(root);
    } catch (error) {
      this.say(error.message, true);
    }
  }

  /** Show a node of the tree. */
  visit(node) {
    const { replay } = this;
    this.node = node;
    this.chosen = [];
    this.clicked = [];
    replay.variation = node;
    if (replay.place !== node.place) {
      replay.place = node.place;
      replay.show(node.place);
    }
    const { position } = node;
    replay.drawOther(position.shapes, position.view);
    replay.panels.show(position.state, node.parent ? [] : replay.lastMoves[node.place], position.scores);
    document.getElementById("text").textContent = position.text;
    const ahead = node.steps.length;
    const where = ahead ? `${replay.where(node.place)}, and ${ahead} of a variation` : replay.where(node.place);
    document.getElementById("where").textContent = where;
    replay.note("");
    if (node.step) document.getElementById("said").textContent = `${where}: ${node.step.join(", ")}.`;
    this.opener.hidden = true;
    this.drawBody();
    this.drawTargets();
    this.drawTree();
  }

  /** Go back or on in the variation; false if it has no such position. */
  step(by) {
    const next = by < 0 ? this.node.parent : this.node.children[0];
    if (next) this.visit(next);
    return Boolean(next) || by > 0;
  }

  async play(step) {
    const { node } = this;
    const same = node.children.find((child) => child.step.join(" ") === step.join(" ") && step.every(Boolean));
    if (same) {
      this.visit(same);
      return;
    }
    try {
      const position = await asked(`${this.api}/play`, { place: node.place, steps: [...node.steps, step] });
      const child = new Node(node, node.place, position.step, position);
      const twin = node.children.find((other) => other.step.join(" ") === child.step.join(" "));
      if (!twin) node.children.push(child);
      this.say("");
      if (this.node === node) this.visit(twin ?? child);
      const only = this.node?.position.moves[0];
      if (only?.seat < 0) await this.play([""]); // chance draws by itself
    } catch (error) {
      this.say(error.message, true);
    }
  }

  /** Choose a move for a seat; once every seat that moves has one, they are played. */
  choose(seat, text) {
    const { moves } = this.node.position;
    this.chosen[seat + 1] = text;
    if (moves.every((each) => this.chosen[each.seat + 1] !== undefined)) {
      this.play(moves.map((each) => this.chosen[each.seat + 1]));
    } else {
      this.drawBody();
      this.drawTargets();
    }
  }

  drawBody() {
    const { position } = this.node;
    const { players } = this.replay.data;
    const head = made("h2", "", position.over ? position.result : "Play on");
    this.body.replaceChildren(head);
    for (const { seat, moves } of position.moves) {
      const row = this.body.appendChild(made("div", "row"));
      if (seat >= 0) row.append(badge(players[seat], seat), made("span", "player-name", players[seat].name));
      else row.append(made("span", "", "Chance"));
      const list = this.body.appendChild(made("div", "legal"));
      for (const { text } of moves.filter((move) => this.fits(move))) {
        const button = list.appendChild(made("button", this.chosen[seat + 1] === text ? "chosen" : "", text));
        button.type = "button";
        button.addEventListener("click", () => this.choose(seat, text));
      }
    }
    if (position.moves.some(({ seat }) => seat >= 0)) this.body.append(this.agentRow());
    const row = this.body.appendChild(made("div", "row"));
    const action = (text, act) => {
      const button = row.appendChild(made("button", "", text));
      button.type = "button";
      button.addEventListener("click", act);
    };
    if (this.node.parent) {
      action("Take back", () => this.visit(this.node.parent));
      for (const form of this.node.position.forms) action(`Save ${form}`, () => this.save(form));
    }
    action("Back to the episode", () => {
      const { place } = this.node;
      this.replay.variation = null;
      this.close();
      this.replay.go(place);
    });
  }

  agentRow() {
    const row = made("div", "row");
    const select = (label, options, kept) => {
      const made_ = row.appendChild(document.createElement("select"));
      made_.setAttribute("aria-label", label);
      for (const [value, text] of options) made_.append(new Option(text, value, false, value === this[kept]));
      this[kept] ??= made_.value;
      made_.addEventListener("change", () => (this[kept] = made_.value));
    };
    select("Agent", this.agents.map((agent) => [agent, agent]), "agent");
    select("Time to think", [["0.2", "0.2 s"], ["1", "1 s"], ["3", "3 s"]], "time");
    const ask = row.appendChild(made("button", "", "Let it move"));
    const run = row.appendChild(made("button", "", this.running ? "Stop" : "… to the end"));
    ask.type = run.type = "button";
    ask.disabled = this.running;
    ask.addEventListener("click", () => this.ask());
    run.addEventListener("click", async () => {
      this.running = !this.running;
      while (this.running && this.node && !this.node.position.over) if (!(await this.ask())) break;
      this.running = false;
      if (this.node) this.drawBody();
    });
    return row;
  }

  /** Let the agent choose for every seat that has no move yet. */
  async ask() {
    const { node, agent, time } = this;
    const chosen = [...this.chosen];
    this.say(`${agent} is thinking …`);
    try {
      for (const { seat } of node.position.moves) {
        if (chosen[seat + 1] !== undefined) continue;
        const body = { place: node.place, steps: node.steps, seat, agent, time: Number(time) };
        const found = await asked(`${this.api}/move`, body);
        chosen[seat + 1] = found.move;
        const value = found.measures?.evaluation;
        this.said = `${agent}: ${found.move}${value === undefined ? "" : `, evaluation ${spoken(value)}`}`;
      }
    } catch (error) {
      this.say(error.message, true);
      return false;
    }
    if (this.node !== node) return false;
    const said = this.said;
    await this.play(node.position.moves.map(({ seat }) => chosen[seat + 1]));
    this.say(said);
    return this.node !== node;
  }

  /** True if a move is possible after the targets that were clicked so far. */
  fits({ clicks }) {
    return this.clicked.every((target, index) => clicks?.[index] === target);
  }

  /** Draw the places on the board that can be clicked for a move. */
  drawTargets() {
    const { svg } = this.replay.other;
    svg.querySelectorAll(".target").forEach((target) => target.remove());
    const open = this.node.position.moves.find(({ seat }) => seat >= 0 && this.chosen[seat + 1] === undefined);
    if (!open) return;
    const drawn = new Set();
    const add = (points, className, act) => {
      const target = document.createElementNS(SVG, "polygon");
      target.setAttribute("class", className);
      target.setAttribute("points", points);
      target.addEventListener("click", act);
      svg.append(target);
    };
    for (const clicked of this.clicked) {
      drawn.add(clicked);
      add(clicked, "target chosen", () => this.click(open.seat, []));
    }
    const depth = this.clicked.length;
    const others = depth ? open.moves.map((move) => move.clicks?.[0]).filter(Boolean) : [];
    for (const move of open.moves) {
      const next = this.fits(move) ? move.clicks?.[depth] : undefined;
      if (!next || drawn.has(next)) continue;
      drawn.add(next);
      add(next, "target", () => this.click(open.seat, [...this.clicked, next]));
    }
    for (const other of others) {
      if (drawn.has(other)) continue;
      drawn.add(other);
      add(other, "target", () => this.click(open.seat, [other]));
    }
  }

  click(seat, clicked) {
    this.clicked = clicked;
    const { moves } = this.node.position.moves.find((each) => each.seat === seat);
    const left = moves.filter((move) => this.fits(move));
    const [only] = left;
    if (clicked.length && left.length === 1 && only.clicks.length === clicked.length) {
      this.clicked = [];
      this.choose(seat, only.text);
    } else {
      this.drawBody();
      this.drawTargets();
    }
  }

  /** The variations as a tree: the first line of each goes on, the others are indented. */
  drawTree() {
    this.tree.replaceChildren();
    const roots = [...this.roots.values()].filter((root) => root.children.length);
    if (!roots.length) return;
    this.tree.append(made("h2", "", "Variations"));
    const list = this.tree.appendChild(made("ul", "lines"));
    for (const root of roots.sort((one, other) => one.place - other.place)) {
      for (const child of root.children) {
        const item = list.appendChild(made("li"));
        item.append(made("span", "quiet", `after ${this.replay.names[root.place]}: `));
        this.drawLine(item, child);
      }
    }
  }

  drawLine(item, first) {
    for (let node = first; node; [node] = node.children) {
      const link = item.appendChild(made("a", node === this.node ? "here" : "", node.step.join("+")));
      link.href = `#${this.replay.names[node.place]}`;
      const shown = node;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.visit(shown);
      });
      item.append(" ");
      if (node.children.length > 1) {
        const list = item.appendChild(made("ul", "lines"));
        for (const other of node.children.slice(1)) this.drawLine(list.appendChild(made("li")), other);
      }
    }
  }

  async save(form) {
    const { place, steps } = this.node;
    try {
      const { name, text } = await asked(`${this.api}/export`, { place, steps, form });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.say(error.message, true);
    }
  }
}
