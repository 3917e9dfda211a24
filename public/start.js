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
  // What the document shows by itself is inert.
  if (root?.hasChildNodes() && !root.inert) return;
  root?.replaceChildren(document.getElementById("unloaded").content.cloneNode(true));
  if (root) root.inert = false;
});

{
  // Before the first paint: the theme and the language that this device remembers.
  // Readers of a shared lecture have not been here before: the page follows their device.
  const isReader = location.pathname.startsWith("/live/");
  let language = "zh";
  let leaving = false;
  let visitor = null;
  let unconfirmedAddress = null;
  let hasSidebar = true;
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
    const user = leaving ? null : JSON.parse(localStorage.getItem("signedIn"));
    if (user) visitor = "user";
    else if (localStorage.getItem("guestMode") === "true") visitor = "guest";
    if (user?.emailVerified === false) unconfirmedAddress = user.email;
    hasSidebar =
      matchMedia("(min-width: 70rem)").matches && localStorage.getItem("sidebarOpen") !== "false";
  } catch {
    // Storage is closed to us: light and Chinese, as on a first visit.
  }
  document.documentElement.lang = language === "en" ? "en" : "zh-Hans";

  const getFirstPage = () => {
    if (isReader) return "live";
    const { pathname, search } = location;
    if (pathname === "/auth") return visitor === "user" ? null : "auth";
    if (pathname !== "/" && pathname !== "/record") return null;
    // Where the program will go.
    if (!visitor) return "auth";
    if (search) return null;
    if (pathname === "/") return visitor === "user" ? "home" : null;
    return hasSidebar ? null : `record-${visitor}`;
  };
  // What the build has rendered of this page is shown until the program takes its place (build/prerender.ts).
  const firstPage = getFirstPage();
  document.addEventListener(
    "readystatechange",
    () => {
      const root = document.getElementById("root");
      const template = document.getElementById(`first-${firstPage}-${language}`);
      if (!root || !template) {
        document.getElementById("loading").hidden = false;
        return;
      }
      const copy = template.content.cloneNode(true);
      const notice = copy.querySelector("[data-confirm-notice]");
      const text = notice?.querySelector("p");
      if (!unconfirmedAddress) notice?.remove();
      else if (text)
        text.textContent = text.textContent.replace("\u00a0{email}", () => unconfirmedAddress);
      root.replaceChildren(copy);
      root.dataset.firstPage = firstPage;
      root.inert = true;
    },
    { once: true },
  );

  // The files of this page, which the build has noted, and who is there: the program would ask for them only
  // once it is here itself (`takeHeadStart` in src/client/lib/fetch.ts takes the answer).
  const noted = document.getElementById("pages");
  const path = isReader ? "/live/*" : firstPage === "auth" ? "/auth" : location.pathname;
  const files = noted && JSON.parse(noted.textContent)[path];
  if (files) {
    for (const name of [...files.first, ...files[language], ...files.second]) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      // After the style sheet: the document shows the page before it needs its modules.
      link.fetchPriority = "low";
      link.href = `/assets/${name}`;
      document.head.append(link);
    }
    // Whoever is leaving has to be let out first. A reader needs no session.
    if (!leaving && !isReader) {
      window.headStart = fetch("/trpc/auth.session?batch=1&input=%7B%7D").then(
        (answer) => (answer.ok ? answer.json() : null),
        () => null,
      );
      // Somebody came or went in another tab: what was asked before is outdated.
      if (typeof BroadcastChannel === "function")
        new BroadcastChannel("auth").addEventListener("message", () => {
          window.headStart = undefined;
        });
    }
  }
}
