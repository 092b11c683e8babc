// The first page: what is new replaces what it shows, and boards that cannot be drawn are left out.
import { follow, update } from "./fragments.js";

const overview = document.getElementById("overview");

function check() {
  for (const image of document.querySelectorAll(".game img")) {
    const leave = () => image.remove();
    if (image.complete && !image.naturalWidth) leave();
    image.addEventListener("error", leave);
  }
}

check();
if (overview) {
  follow("/news", () => true, (html) => {
    update(html);
    check();
  });
}
