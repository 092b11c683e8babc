// Draws boards as SVG from shapes and frames, as views/boards/scene.py makes them; knows no game.

const SPACE = "http://www.w3.org/2000/svg";
const ATTRIBUTES = {
  rect: ["x", "y", "width", "height", "rx"],
  circle: ["cx", "cy", "r"],
  polygon: ["points"],
  polyline: ["points", "stroke-linejoin"],
  path: ["d", "transform", "shape-rendering", "stroke-linejoin", "stroke-linecap"],
  text: ["x", "y", "font-size", "font-family", "text-anchor", "textLength", "lengthAdjust"],
};
const COMMON = ["fill", "stroke", "stroke-width"];

/** A shape `[tag, {attribute: value}, text]` as an element; tags and attributes that boards do not use are left out. */
export function element([tag, attributes, text]) {
  const allowed = ATTRIBUTES[tag];
  const made = document.createElementNS(SPACE, allowed ? tag : "g");
  for (const [name, value] of Object.entries(allowed ? attributes : {})) {
    if (allowed.includes(name) || COMMON.includes(name)) made.setAttribute(name, value);
  }
  if (text) made.textContent = text;
  return made;
}

/** Put a board into an element. `view` is the part of the drawing to show: left, top, width and height. */
export function mount(place, { view, shapes = [] } = {}) {
  const svg = document.createElementNS(SPACE, "svg");
  const known = shapes; // may be shared with other boards
  const elements = [];
  const marks = new Map(); // element -> the last frame that had it
  let generation = 0;
  svg.setAttribute("class", "board");
  svg.setAttribute("aria-hidden", "true");
  place.append(svg);
  const board = {
    svg,
    /** Show another part of the drawing. */
    look(part) {
      svg.setAttribute("viewBox", part.join(" "));
      svg.style.aspectRatio = `${part[2]} / ${part[3]}`;
    },
    /** Add shapes; they have the numbers after those of the shapes so far. */
    add(more) {
      for (const shape of more) known.push(shape);
    },
    /** Show a frame: numbers of shapes, or runs [first, last] of them, in drawing order. */
    show(frame) {
      generation += 1;
      const wanted = [];
      for (const item of frame) {
        const [first, last] = Array.isArray(item) ? item : [item, item];
        for (let number = first; number <= last; number += 1) {
          if (known[number] === undefined) continue;
          elements[number] ??= element(known[number]);
          marks.set(elements[number], generation);
          wanted.push(elements[number]);
        }
      }
      for (let node = svg.firstChild; node; ) {
        const next = node.nextSibling;
        if (marks.get(node) !== generation) node.remove();
        node = next;
      }
      let node = svg.firstChild;
      for (const each of wanted) {
        if (node === each) node = node.nextSibling;
        else svg.insertBefore(each, node);
      }
    },
    destroy() {
      svg.remove();
    },
  };
  if (view) board.look(view);
  return board;
}

/** The frame that follows from another by edits `[at, gone, come, …]`. */
export function edited(frame, edits) {
  if (!edits.length) return frame;
  const after = frame.slice();
  for (const [at, gone, ...come] of edits) after.splice(at, gone, ...come);
  return after;
}

/** The smallest view that holds both. */
export function joined(one, other) {
  if (!one) return other;
  const left = Math.min(one[0], other[0]);
  const top = Math.min(one[1], other[1]);
  const right = Math.max(one[0] + one[2], other[0] + other[2]);
  const bottom = Math.max(one[1] + one[3], other[1] + other[3]);
  return [left, top, right - left, bottom - top];
}
