// Before the first paint: the theme and the language that this device remembers.
try {
  const theme = localStorage.getItem("theme");
  const dark =
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  if (dark) document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#171412");
  document.documentElement.lang =
    localStorage.getItem("interfaceLanguage") === "en" ? "en" : "zh-Hans";
} catch {
  // Storage is closed to us: light and Chinese, as on a first visit.
}

// A program that cannot be fetched cannot say so itself.
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLScriptElement) dispatchEvent(new Event("unloaded"));
  },
  true,
);
addEventListener("unloaded", () => {
  const root = document.getElementById("root");
  if (!root?.hasChildNodes())
    root?.replaceChildren(document.getElementById("unloaded").content.cloneNode(true));
});
