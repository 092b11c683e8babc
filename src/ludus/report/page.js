// Draws the charts, one after the other: each stands as JSON inside its element.
const options = {
  renderer: "svg",
  ast: true, // expressions are interpreted, since the page's policy lets no text become code
  actions: { export: true, source: false, compiled: false, editor: false },
};
for (const place of document.querySelectorAll(".chart")) {
  const chart = JSON.parse(place.querySelector("script").textContent);
  const canvas = place.appendChild(document.createElement("div"));
  vegaEmbed(canvas, chart, options).catch((error) => {
    canvas.textContent = `This chart could not be drawn: ${error.message}`;
    console.error(error);
  });
}
