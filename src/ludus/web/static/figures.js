// Charts: each is loaded and drawn when it comes into view, and drawn again when there is news.
const address = document.querySelector("meta[name=charts]")?.content;
const tournament = document.querySelector("main")?.dataset.tournament;
const LIVE = new Set(["ratings", "points", "places", "bracket"]);
const OFTEN = 5000; // milliseconds between two drawings of the same chart
const NEAR = "500px";
const drawn = new WeakMap();
let library = null;

const options = {
  renderer: "svg",
  ast: true, // expressions are interpreted, since the page's policy lets no text become code
  actions: false,
  defaultStyle: false, // style elements are forbidden too; site.css has what is needed
  tooltip: { disableDefaultStyle: true },
};

async function draw(place) {
  library ??= import(address);
  const [answer] = await Promise.all([fetch(place.dataset.chart), library]);
  const spec = await answer.json();
  if (!answer.ok) throw new Error(spec.error ?? answer.statusText);
  const canvas = document.createElement("div");
  const { view } = await window.vegaEmbed(canvas, spec, options);
  view.addEventListener("click", (_, item) => open(item?.datum));
  view.addEventListener("mouseover", (_, item) => (canvas.style.cursor = item && target(item.datum) ? "pointer" : ""));
  place.querySelector(".drawn").replaceChildren(canvas);
  drawn.get(place)?.finalize();
  drawn.set(place, view);
  place.dataset.drawn = Date.now();
}

function failed(place, error) {
  place.querySelector(".drawn").textContent = `This chart could not be drawn: ${error.message}`;
  console.warn(error);
}

/** The episodes behind a mark: those of its agent, in a map against that of the column. */
function target(datum) {
  const agent = datum?.agent ?? datum?.row;
  if (typeof agent !== "string") return null;
  const opponent = datum.column;
  const query = new URLSearchParams({ tournament, agent });
  if (typeof opponent === "string") query.set("opponent", opponent);
  return `/history?${query}`;
}

function open(datum) {
  const found = target(datum);
  if (found) location.href = found;
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target: place } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(place);
      draw(place).catch((error) => failed(place, error));
    }
  },
  { rootMargin: NEAR },
);

if (address) for (const place of document.querySelectorAll(".chart[data-chart]")) seen.observe(place);

document.addEventListener("news", () => {
  for (const place of document.querySelectorAll(".chart[data-drawn]")) {
    if (LIVE.has(place.dataset.name) && Date.now() - place.dataset.drawn > OFTEN) {
      draw(place).catch((error) => failed(place, error));
    }
  }
});

// By keyboard: the arrows lead from mark to mark, and Enter opens its episodes.
const MARKS = ".role-mark [aria-label]";

document.addEventListener("keydown", (event) => {
  const place = event.target instanceof Element && event.target.closest(".chart[data-chart]");
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!place || (!step && event.key !== "Enter") || event.target.matches("a")) return;
  const marks = [...place.querySelectorAll(MARKS)].filter((mark) => mark.__data__);
  if (!marks.length) return;
  const now = marks.findIndex((mark) => mark.classList.contains("at"));
  if (event.key === "Enter") {
    if (now >= 0) open(marks[now].__data__.datum);
    return;
  }
  event.preventDefault();
  marks[now]?.classList.remove("at");
  const next = marks[(now + step + marks.length) % marks.length];
  next.classList.add("at");
  place.dataset.tip = next.getAttribute("aria-label");
  place.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
});
