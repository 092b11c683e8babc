// Tool tips for everybody: by pointer, finger and keyboard, in place of `title`, which only a pointer finds.
let shown = null;
const tip = document.createElement("div");
tip.id = "tip";
tip.role = "tooltip";
tip.hidden = true;
document.body.append(tip);

function show(element) {
  hide();
  shown = element;
  tip.textContent = element.dataset.tip;
  tip.hidden = false;
  element.setAttribute("aria-describedby", "tip");
  const box = element.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
  const above = box.top - tip.offsetHeight - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 4 ? above : box.bottom + 8}px`;
}

function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  tip.hidden = true;
}

/** Give the elements below one their tool tips; heads of columns can be reached by the keyboard. */
export function enhance(root) {
  for (const element of root.querySelectorAll("th[title], td[title]")) {
    element.dataset.tip = element.title;
    element.removeAttribute("title");
    if (element.matches("thead th")) element.tabIndex = 0;
  }
}

const tipped = (event) => event.target instanceof Element && event.target.closest("[data-tip]");
document.addEventListener("pointerover", (event) => (tipped(event) ? show(tipped(event)) : hide()));
document.addEventListener("focusin", (event) => (tipped(event) ? show(tipped(event)) : hide()));
document.addEventListener("focusout", hide);
document.addEventListener("scroll", hide, true);
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
