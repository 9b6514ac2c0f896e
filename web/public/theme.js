// Before anything is drawn: the theme and the language that were chosen last, so that no white page flashes.
try {
  const chosen = JSON.parse(localStorage.getItem("tengen.settings") ?? "{}");
  const dark = chosen.theme === "dark" || (chosen.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (chosen.language) document.documentElement.lang = chosen.language;
} catch {
  // Nothing was remembered, or it may not be read.
}
