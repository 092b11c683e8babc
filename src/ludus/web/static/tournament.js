// The page of a tournament: its charts, its details, and what changes while it is played.
import "./figures.js";
import "./folds.js";
import { asker, update } from "./fragments.js";
import { watch } from "./live.js";
import { enhance } from "./tips.js";

const RARELY = 15000; // milliseconds between two looks without a message, as at the end of a run
const progress = document.getElementById("progress");
const older = document.querySelector(".older");
const isPlayed = () => "unfinished" in progress.dataset;

enhance(document);

if (isPlayed()) {
  const ask = asker(`${location.pathname}/standings`, (html) => {
    update(html);
    enhance(document);
    document.dispatchEvent(new CustomEvent("news"));
    older.hidden = progress.dataset.state === older.dataset.state;
    if (!isPlayed()) stop();
  });
  const stop = watch(`tournament/${document.querySelector("main").dataset.tournament}`, ask);
  setInterval(() => !document.hidden && isPlayed() && ask(), RARELY);
}
