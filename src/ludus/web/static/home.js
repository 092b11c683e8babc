// The first page: what is being played, what is new, and no pictures of boards that cannot be drawn.
import { showFeeds } from "./feeds.js";
import { asker, update } from "./fragments.js";

const MOST_BOARDS = 3;
const overview = document.getElementById("overview");
const isIncomplete = () => "incomplete" in overview.dataset;

function check() {
  for (const image of document.querySelectorAll(".game img")) {
    const leave = () => image.remove();
    if (image.complete && !image.naturalWidth) leave();
    image.addEventListener("error", leave);
  }
}

const ask = asker("/news", (html) => {
  update(html);
  check();
  if (isIncomplete()) ask();
});

check();
if (isIncomplete()) ask();
let before = 0;
showFeeds(document.getElementById("boards"), MOST_BOARDS, () => true, (runs) => {
  if (runs.length || before) ask();
  before = runs.length;
});
