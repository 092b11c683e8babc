// Fragments of the server's own templates that take the place of what a page shows. Rows of tables move to their new
// places instead of jumping.
import { localise } from "./site.js";

const MOVE = { duration: 450, easing: "cubic-bezier(0.2, 0, 0, 1)" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The rows of tables by name, and how far each is below the top of its table. */
function rows(element) {
  const found = new Map();
  for (const row of element.querySelectorAll("tbody tr")) {
    const name = row.querySelector("th[scope=row]")?.textContent;
    const top = row.getBoundingClientRect().top - row.closest("table").getBoundingClientRect().top;
    if (name !== undefined) found.set(name, { row, top });
  }
  return found;
}

/** Put HTML of the server into an element, and move the rows that it had before. */
export function place(element, html) {
  const before = rows(element);
  const template = document.createElement("template");
  template.innerHTML = html;
  element.replaceChildren(template.content);
  localise(element);
  if (still.matches) return;
  for (const [name, { row, top }] of rows(element)) {
    const by = before.has(name) ? before.get(name).top - top : 0;
    if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], MOVE);
  }
}

/** Put each part of a fragment where its `data-live` says, if it differs from what is there. */
export function update(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const part of template.content.querySelectorAll("[data-live]")) {
    const target = document.querySelector(part.dataset.live);
    const made = part.firstElementChild;
    if (!target || !made) continue;
    const scrolled = target.scrollLeft;
    if (target.innerHTML !== made.innerHTML) place(target, made.innerHTML);
    for (const { name, value } of made.attributes) target.setAttribute(name, value);
    for (const name of Object.keys(target.dataset)) if (!(name in made.dataset)) delete target.dataset[name];
    target.scrollLeft = scrolled;
  }
}

/** A function that asks an address for news: at once, or as soon as the last answer is `pause` milliseconds old. */
export function asker(address, onNews, pause = 1000) {
  let tag = null;
  let busy = false;
  let again = false;
  return async function ask() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    again = false;
    try {
      const answer = await fetch(address, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        onNews(await answer.text());
      }
    } catch (error) {
      console.warn(`${address}: ${error.message}`);
    }
    setTimeout(() => {
      busy = false;
      if (again) ask();
    }, pause);
  };
}
