// The page of a tournament: its charts, its details, and what changes while it is played.
import "./figures.js";
import "./folds.js";
import { enhance } from "./tips.js";
import { follow, update } from "./fragments.js";

const progress = document.getElementById("progress");
const older = document.querySelector(".older");
const isPlayed = () => Boolean(progress.dataset.poll);

enhance(document);

if (isPlayed()) {
  follow(progress.dataset.poll, isPlayed, (html) => {
    const drawn = older.dataset.seen;
    update(html);
    enhance(document);
    document.dispatchEvent(new CustomEvent("news"));
    if (drawn || !isPlayed()) tell();
    older.dataset.seen = "yes";
  });
}

/** Say that the rest of the page is older than the standings. */
function tell() {
  if (!older.hidden) return;
  const again = document.createElement("a");
  again.href = location.pathname;
  again.textContent = "Load the page again";
  older.replaceChildren("The standings are as of now; other tables and charts are older. ", again);
  older.hidden = false;
}
