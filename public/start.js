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

// In Safari the key that ends an input method's text, such as Enter, comes when the composition is over, and is like any
// other but for its code: the program would send or save what is still being written.
// Source: https://bugs.webkit.org/show_bug.cgi?id=165004 (2026-11-27)
addEventListener(
  "keydown",
  (event) => {
    if (event.keyCode === 229 && !event.isComposing) event.stopImmediatePropagation();
  },
  true,
);

{
  // Before the first paint: the theme and the language that this device remembers.
  // Readers of a shared lecture have not been here before: the page follows their device.
  const isReader = location.pathname.startsWith("/live/");
  let language = "zh";
  let leaving = false;
  let visitor = null;
  let unconfirmedAddress = null;
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
    return `record-${visitor}`;
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

  // The files of this page, which the build has noted, who is there, and the lectures of the home page or the one of the
  // address: the program would ask for them only once it is here itself (`takeHeadStart` in src/client/lib/fetch.ts takes
  // the answers).
  const noted = document.getElementById("pages");
  const getLectureId = () => {
    if (visitor !== "user" || location.pathname !== "/record") return null;
    const id = new URLSearchParams(location.search).get("lecture");
    return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? id : null;
  };
  const lectureId = getLectureId();
  const getPath = () => {
    if (isReader) return "/live/*";
    if (firstPage === "auth") return "/auth";
    return lectureId === null ? location.pathname : "/record?lecture";
  };
  const files = noted && JSON.parse(noted.textContent)[getPath()];
  if (files) {
    // Whoever is leaving has to be let out first. A reader needs no session.
    if (!leaving && !isReader) {
      const answers = {};
      window.headStart = answers;
      // One request, as src/client/state/trpc-client.ts sends it.
      const call = (calls) => {
        const names = calls.map(([name]) => name).join();
        const input = encodeURIComponent(JSON.stringify({ ...calls.map(([, each]) => each) }));
        const batch = fetch(`/trpc/${names}?batch=1&input=${input}`, {
          headers: { "dualect-names": "row-ids" },
        }).then((answer) => (answer.ok ? answer.json() : []));
        for (const [index, [name, each]] of calls.entries())
          answers[`${name} ${JSON.stringify(each)}`] = batch.then(
            (results) => results[index]?.result ?? null,
            () => null,
          );
      };
      call([["auth.session"]]);
      if (firstPage === "home")
        call([["folders.list"], ["lectures.list", { limit: 50, cursor: null }]]);
      if (lectureId !== null)
        call([
          ["lectures.get", { id: lectureId, cursor: null, since: 0, texts: false }],
          ["marks.list", { lectureId, cursor: null }],
          ["takes.list", { lectureId, cursor: null }],
        ]);
      const forget = () => {
        window.headStart = undefined;
      };
      // Answers are of their time.
      setTimeout(forget, 30_000);
      // Somebody came or went in another tab: what was asked before is outdated.
      if (typeof BroadcastChannel === "function")
        new BroadcastChannel("auth").addEventListener("message", forget);
    }
    const preload = (names) => {
      for (const name of names) {
        const link = document.createElement("link");
        link.rel = "modulepreload";
        // After the style sheet: the document shows the page before it needs its modules.
        link.fetchPriority = "low";
        link.href = `/assets/${name}`;
        document.head.append(link);
      }
    };
    preload([...files.first, ...files[language]]);
    // What the document shows comes first: to fetch and compile more at the same time would delay it. In a tab that
    // paints nothing, the program fetches them itself.
    if (firstPage)
      new PerformanceObserver((_paints, observer) => {
        observer.disconnect();
        preload(files.second);
      }).observe({ type: "paint", buffered: true });
    else preload(files.second);
  }
}
