// Small charts of one number along the moves of an episode: a line for each player, and a click jumps.

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDE = 640;
const HIGH = 120;
const LEFT = 8;
const TOP = 10;
const BOTTOM = 8;

function drawn(tag, attributes, parent) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

/**
 * A chart of `series`: [{colour, shade, name, points: [[place, value], …]}]. `scale` is "log" or "linear", `write` puts a value
 * into words, `jump(place)` is called on a click. Returns an object with the element and `mark(place)`.
 */
export function chart({ title, series, last, scale = "linear", write, jump }) {
  const figure = document.createElement("figure");
  figure.className = "trend";
  const caption = figure.appendChild(document.createElement("figcaption"));
  caption.append(Object.assign(document.createElement("h3"), { textContent: title }));
  const value = caption.appendChild(document.createElement("span"));
  value.className = "trend-values";
  const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", `${title} of each move. ${summary(series, write)}`);
  figure.append(svg);
  const all = series.flatMap(({ points }) => points.map(([, y]) => y));
  const positive = all.filter((y) => y > 0);
  const floor = positive.length ? Math.min(...positive) : 1;
  const bend = scale === "log" ? (y) => Math.log(Math.max(y, floor)) : (y) => y;
  let low = Math.min(...all.map(bend), scale === "log" ? Infinity : 0);
  let high = Math.max(...all.map(bend), scale === "log" ? -Infinity : 0);
  if (low === high) [low, high] = [low - 1, high + 1];
  const x = (place) => LEFT + (place / Math.max(1, last)) * (WIDE - 2 * LEFT);
  const y = (number) => TOP + (1 - (bend(number) - low) / (high - low)) * (HIGH - TOP - BOTTOM);
  if (scale !== "log") drawn("line", { class: "trend-zero", x1: 0, x2: WIDE, y1: y(0), y2: y(0) }, svg);
  for (const { colour, points } of series) {
    if (points.length === 1) drawn("circle", { cx: x(points[0][0]), cy: y(points[0][1]), r: 3, fill: colour }, svg);
    const way = thinned(points).map(([place, number]) => `${x(place).toFixed(1)},${y(number).toFixed(1)}`);
    drawn("polyline", { class: "trend-line", points: way.join(" "), stroke: colour }, svg);
  }
  const cursor = drawn("line", { class: "trend-cursor", y1: 0, y2: HIGH }, svg);
  const placeOf = (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDE - LEFT;
    return Math.round(Math.min(1, Math.max(0, share / (WIDE - 2 * LEFT))) * last);
  };
  svg.addEventListener("pointerdown", (event) => {
    jump(placeOf(event));
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) jump(placeOf(event));
  });
  const latest = series.map(({ points }) => new Map(points));
  return {
    element: figure,
    mark(place) {
      cursor.setAttribute("x1", x(place));
      cursor.setAttribute("x2", x(place));
      value.replaceChildren();
      latest.forEach((values, index) => {
        let at = place;
        while (at >= 0 && place - at <= 2 * latest.length && !values.has(at)) at -= 1;
        if (!values.has(at)) return;
        const shown = value.appendChild(document.createElement("span"));
        const dot = shown.appendChild(document.createElement("i"));
        dot.className = "dot";
        dot.style.background = series[index].shade;
        shown.append(write(values.get(at)));
      });
    },
  };
}

/** Of very many points the lowest and highest of each stretch, so that drawing stays fast and no peak is lost. */
function thinned(points) {
  const most = 2 * WIDE;
  if (points.length <= most) return points;
  const length = Math.ceil((2 * points.length) / most);
  const kept = [];
  for (let first = 0; first < points.length; first += length) {
    const stretch = points.slice(first, first + length);
    const low = stretch.reduce((one, other) => (other[1] < one[1] ? other : one));
    const high = stretch.reduce((one, other) => (other[1] > one[1] ? other : one));
    kept.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  return kept;
}

function summary(series, write) {
  return series
    .filter(({ points }) => points.length)
    .map(({ name, points }) => `${name}: at most ${write(Math.max(...points.map(([, y]) => y)))}.`)
    .join(" ");
}
