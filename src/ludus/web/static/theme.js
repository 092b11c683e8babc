// Runs before the page is drawn, so that a chosen theme never flashes in the other one.
const chosenTheme = localStorage.getItem("theme");
if (chosenTheme === "light" || chosenTheme === "dark") document.documentElement.dataset.theme = chosenTheme;
