// What every page does: the switch between light and dark, and times in the viewer's zone.

const root = document.documentElement;

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

document.getElementById("theme")?.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

/** Show the times below an element in the viewer's zone. */
export function localise(element) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of element.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    time.textContent = form.format(when);
    time.title = when.toString();
  }
}

localise(document);
