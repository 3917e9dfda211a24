// Before the first paint: the theme and the language that this device remembers.
try {
  document.documentElement.classList.toggle("dark", localStorage.getItem("theme") === "dark");
  document.documentElement.lang =
    localStorage.getItem("interfaceLanguage") === "en" ? "en" : "zh-Hans";
} catch {
  // Storage is closed to us: light and Chinese, as on a first visit.
}
