// Before the first paint: the theme that was chosen here, or the system's.
(() => {
  const ORDER = ["system", "light", "dark"];
  const chosen = () => {
    try {
      return ORDER.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "system";
    } catch {
      return "system"; // storage is switched off
    }
  };
  const show = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  show(chosen());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme-button");
    const label = (theme) => {
      button.textContent = `Theme: ${theme}`;
    };
    label(chosen());
    button.addEventListener("click", () => {
      const next = ORDER[(ORDER.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % ORDER.length];
      try {
        localStorage.setItem("theme", next);
      } catch {
        // it lasts until the page is left
      }
      show(next);
      label(next);
    });
  });
})();
