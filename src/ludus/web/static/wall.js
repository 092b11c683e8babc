// The wall: slides by turns, each as long as it takes to read, and what is new as soon as it is known.
import { place } from "./fragments.js";

const TURN = 15000; // milliseconds of a slide
const LOOK = 3000; // milliseconds between two looks for something new
const STILL = 3000; // milliseconds without the pointer, after which the buttons hide
const wall = document.getElementById("wall");
const pause = document.getElementById("pause");
const address = `${location.pathname.replace(/wall$/, "")}slides`;
let current = 0;
let tag = null;
let turn = null;

const slides = () => [...wall.querySelectorAll(".slide")].filter((slide) => !slide.hidden);

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
      image.closest(".slide").hidden = true;
      show(current);
    };
    if (image.complete && !image.naturalWidth) leave();
    image.addEventListener("error", leave);
  }
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch(address, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  if (answer.status !== 200) return;
  tag = answer.headers.get("ETag");
  place(wall, await answer.text());
  check();
  show(current);
}

document.getElementById("previous").addEventListener("click", () => step(-1));
document.getElementById("next").addEventListener("click", () => step(1));
pause.addEventListener("click", () => {
  pause.ariaPressed = pause.ariaPressed === "true" ? "false" : "true";
  pause.textContent = pause.ariaPressed === "true" ? "Go on" : "Pause";
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
setInterval(() => look().catch(() => {}), LOOK);
