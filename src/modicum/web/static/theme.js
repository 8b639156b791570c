// Runs before the page is drawn, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem("modicum-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme holds.
}
