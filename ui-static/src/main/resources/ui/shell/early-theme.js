// Runs before the first paint, so that the page never flashes in the other theme.
try {
  const chosen = localStorage.getItem("orrery.theme");
  if (chosen === '"light"' || chosen === '"dark"') {
    document.documentElement.dataset.theme = JSON.parse(chosen);
  }
} catch {
  // A browser that keeps nothing follows the system.
}
