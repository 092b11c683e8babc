// Details: loaded when they open, all opened or closed at once; and the list of sections above them.
import { localise } from "./site.js";
import { enhance } from "./tips.js";

async function load(details) {
  const address = details.dataset.load;
  if (!address) return;
  delete details.dataset.load;
  details.ariaBusy = "true";
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    if (details.classList.contains("instead")) {
      while (!details.previousElementSibling.matches(".scroll")) details.previousElementSibling.remove();
      details.previousElementSibling.replaceWith(template.content);
      enhance(details.parentElement);
      details.remove();
    } else {
      details.append(template.content);
      localise(details);
      enhance(details);
    }
  } catch (error) {
    details.dataset.load = address;
    details.open = false;
    console.warn(`${address}: ${error.message}`);
  } finally {
    details.ariaBusy = null;
  }
}

document.addEventListener("toggle", (event) => event.target.open && load(event.target), true);

const main = document.querySelector("main");
const contents = document.querySelector(".contents");

if (contents && main?.querySelector("section")) {
  const list = contents.querySelector(".places");
  for (const section of main.querySelectorAll(":scope > section[id]")) {
    const link = document.createElement("a");
    link.href = `#${section.id}`;
    link.textContent = section.querySelector("h2").textContent;
    list.append(link);
  }
  contents.hidden = false;
  for (const button of contents.querySelectorAll("[data-folds]")) {
    button.addEventListener("click", () => {
      for (const details of main.querySelectorAll("details:not(.instead)")) details.open = button.dataset.folds === "open";
    });
  }
}

// The section that is being read.
const current = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const link = contents.querySelector(`a[href="#${target.id}"]`);
      if (link) link.ariaCurrent = isIntersecting ? "true" : null;
    }
  },
  { rootMargin: "-20% 0px -70% 0px" },
);
if (contents) for (const section of main.querySelectorAll(":scope > section[id]")) current.observe(section);
