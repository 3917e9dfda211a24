// Before the first paint: the theme and the language that this device remembers.
try {
  const theme = localStorage.getItem("theme");
  document.documentElement.classList.toggle(
    "dark",
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches),
  );
  document.documentElement.lang =
    localStorage.getItem("interfaceLanguage") === "en" ? "en" : "zh-Hans";
} catch {
  // Storage is closed to us: light and Chinese, as on a first visit.
}
