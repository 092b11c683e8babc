// The film of an episode, put together from its pieces as they arrive.

import { edited, joined } from "./board.js";

export class Film {
  constructor(positions) {
    this.positions = positions;
    this.shapes = [];
    this.frames = [];
    this.view = null;
    this.lines = [];
    this.texts = [];
    this.states = [];
  }

  /** Add the next piece. */
  add(piece) {
    this.shapes.push(...piece.shapes);
    this.lines.push(...piece.lines);
    this.view = joined(this.view, piece.view);
    for (let i = 0; i < piece.frames.length; i += 1) {
      this.frames.push(edited(this.frames.at(-1) ?? [], piece.frames[i]));
      this.texts.push(edited(this.texts.at(-1) ?? [], piece.texts[i]));
      this.states.push(piece.states[i] ?? this.states.at(-1));
    }
  }

  get loaded() {
    return this.frames.length;
  }

  text(place) {
    return this.texts[place].map((line) => this.lines[line]).join("\n");
  }
}
