// Draws the charts, one after the other: each stands as JSON inside its element, and names what it needs of the data.
const options = {
  renderer: "svg",
  ast: true, // expressions are interpreted, since the page's policy lets no text become code
  actions: { export: true, source: false, compiled: false, editor: false },
};
const datasets = JSON.parse(document.getElementById("datasets").textContent);
for (const place of document.querySelectorAll(".chart")) {
  const chart = JSON.parse(place.querySelector("script").textContent);
  // Vega writes into the rows, so that each chart needs its own.
  const rows = (name) => datasets[name].map((row) => ({ ...row }));
  chart.datasets = Object.fromEntries(chart.datasets.map((name) => [name, rows(name)]));
  const canvas = place.appendChild(document.createElement("div"));
  vegaEmbed(canvas, chart, options).catch((error) => {
    canvas.textContent = `This chart could not be drawn: ${error.message}`;
    console.error(error);
  });
}

// What is wider than its place scrolls; while there is more to the right, it fades there and a sentence says so.
for (const place of document.querySelectorAll(".scroll")) {
  const hint = place.parentNode.insertBefore(document.createElement("p"), place.nextSibling);
  hint.className = "hint";
  hint.textContent = "Scroll sideways to see the rest.";
  const look = () => {
    place.classList.toggle("more", place.scrollLeft + place.clientWidth < place.scrollWidth - 1);
    hint.hidden = place.scrollWidth <= place.clientWidth + 1;
  };
  place.addEventListener("scroll", look);
  const observer = new ResizeObserver(look); // it also sees what a fold or a chart adds
  observer.observe(place);
  for (const inner of place.children) observer.observe(inner);
  look();
}
