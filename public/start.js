// What the document does by itself, before the program has come.

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

{
  // Before the first paint: the theme and the language that this device remembers.
  // Readers of a shared lecture have not been here before: the page follows their device.
  const isReader = location.pathname.startsWith("/live/");
  let language = "zh";
  let leaving = false;
  try {
    const theme = localStorage.getItem("theme");
    const dark =
      theme === "dark" ||
      ((theme === "system" || (isReader && theme === null)) &&
        matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.classList.toggle("dark", dark);
    if (dark)
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#171412");
    const chosen = localStorage.getItem("interfaceLanguage");
    const isEnglish =
      isReader && chosen === null ? !/^zh/i.test(navigator.language) : chosen === "en";
    if (isEnglish) language = "en";
    leaving = localStorage.getItem("signingOut") !== null;
  } catch {
    // Storage is closed to us: light and Chinese, as on a first visit.
  }
  document.documentElement.lang = language === "en" ? "en" : "zh-Hans";

  // The files of this page, which the build has noted, and who is there: the program would ask for them only
  // once it is here itself (`fetchWithHeadStart` in src/client/lib/fetch.ts takes the answer).
  const noted = document.getElementById("pages");
  const files = noted && JSON.parse(noted.textContent)[isReader ? "/live/*" : location.pathname];
  if (files) {
    for (const name of [...files.both, ...files[language]]) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = `/assets/${name}`;
      document.head.append(link);
    }
    const session = "/trpc/auth.session?batch=1&input=%7B%7D";
    // Whoever is leaving has to be let out first. A reader needs no session.
    if (!leaving && !isReader) {
      const answers = new Map([[session, fetch(session).catch(() => null)]]);
      window.headStart = answers;
      // Somebody came or went in another tab: what was asked before is outdated.
      if (typeof BroadcastChannel === "function")
        new BroadcastChannel("auth").addEventListener("message", () => answers.clear());
    }
  }
}
