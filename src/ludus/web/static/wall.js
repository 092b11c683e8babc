// The wall: slides by turns, each as long as it takes to read, and what is new as soon as it is known.
import { showFeeds } from "./feeds.js";
import { asker, place } from "./fragments.js";
import { watch } from "./live.js";

const TURN = 15000; // milliseconds of a slide
const RARELY = 15000; // milliseconds between two looks without a message
const STILL = 3000; // milliseconds without the pointer, after which the buttons hide
const MOST_BOARDS = 6;
const wall = document.getElementById("wall");
const pause = document.getElementById("pause");
const address = `${location.pathname.replace(/wall$/, "")}slides`;
let current = 0;
let turn = null;

const boards = document.getElementById("boards");
const slides = () => [...wall.querySelectorAll(".slide"), boards].filter((slide) => !slide.hidden);

function show(number) {
  const all = slides();
  if (!all.length) return;
  current = (number + all.length) % all.length;
  all.forEach((slide, each) => {
    slide.classList.toggle("shown", each === current);
    slide.ariaHidden = each !== current;
  });
}

function begin() {
  clearInterval(turn);
  turn = pause.ariaPressed === "true" ? null : setInterval(() => show(current + 1), TURN);
}

function step(by) {
  show(current + by);
  begin();
}

/** Leave out boards that cannot be drawn. */
function check() {
  for (const image of wall.querySelectorAll("img")) {
    const leave = () => {
      const slide = image.closest(".slide");
      if (slide) slide.hidden = true;
      show(current);
    };
    if (image.complete && !image.naturalWidth) leave();
    image.addEventListener("error", leave);
  }
}

const ask = asker(address, (html) => {
  place(wall, html);
  check();
  show(current);
});

document.getElementById("previous").addEventListener("click", () => step(-1));
document.getElementById("next").addEventListener("click", () => step(1));
pause.addEventListener("click", () => {
  pause.ariaPressed = pause.ariaPressed === "true" ? "false" : "true";
  pause.textContent = pause.ariaPressed === "true" ? "Resume" : "Pause";
  begin();
});
document.getElementById("full").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") step(1);
  else if (event.key === "ArrowLeft") step(-1);
  else if (event.key === "f") document.getElementById("full").click();
});

let still = null;
function stir() {
  document.body.classList.remove("still");
  clearTimeout(still);
  still = setTimeout(() => document.body.classList.add("still"), STILL);
}
addEventListener("pointermove", stir);
addEventListener("keydown", stir);

stir();
check();
show(0);
begin();
watch(`tournament/${wall.dataset.tournament}`, ask);
setInterval(() => !document.hidden && ask(), RARELY);
showFeeds(boards, MOST_BOARDS, (run) => String(run.tournament) === wall.dataset.tournament, () => show(current));
