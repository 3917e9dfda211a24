// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchNow, takeHeadStart } from "#client/lib/fetch.ts";
import { fetchVisitor } from "#client/state/session.ts";
import { trpc } from "#client/state/trpc.ts";
import { getUserId } from "#client/state/visitor.ts";

const pages = {
  "/record": {
    first: ["record.js"],
    en: ["en.js"],
    zh: ["zh.js", "more.js"],
    second: ["screen.js"],
  },
  "/auth": { first: ["auth.js"], en: [], zh: [], second: [] },
};

/** The document at `path`, when its script has run; what the server is asked goes to `server`. */
function open(path: string, server: (address: string) => Promise<Response>) {
  vi.stubGlobal("fetch", server);
  history.replaceState(null, "", path);
  document.head.innerHTML = `<script type="application/json" id="pages">${JSON.stringify(pages)}</script>`;
  new Function(readFileSync("public/start.js", "utf8"))();
  return [...document.head.querySelectorAll("link[rel=modulepreload]")].map((link) =>
    link.getAttribute("href"),
  );
}

/** Another tab of the browser, which is heard at once. */
const otherTab = Object.assign(new EventTarget(), {
  say: (word: string) => otherTab.dispatchEvent(new MessageEvent("message", { data: word })),
});

const user = { id: "1", email: "one@example.edu", emailVerified: true };
const somebody = () => Response.json([{ result: { data: { user } } }]);
const nobody = () => Response.json([{ result: { data: { user: null } } }]);

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("signedIn", "true");
  delete window.headStart;
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("BroadcastChannel", function open() {
    return otherTab;
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("requests of the document before the program is loaded", () => {
  it("fetches the page's files, with the messages of the stored language", () => {
    const server = async () => nobody();
    expect(open("/record", server)).toEqual([
      "/assets/record.js",
      "/assets/zh.js",
      "/assets/more.js",
      "/assets/screen.js",
    ]);
    localStorage.setItem("interfaceLanguage", "en");
    expect(open("/record?lecture=1", server)).toEqual([
      "/assets/record.js",
      "/assets/en.js",
      "/assets/screen.js",
    ]);
  });

  it("fetches the sign-in page's files for whoever has to sign in", () => {
    localStorage.clear();
    expect(open("/record", async () => nobody())).toEqual(["/assets/auth.js"]);
  });

  it("fetches nothing for a page that the build has not listed", () => {
    const server = vi.fn(async () => nobody());
    expect(open("/verify", server)).toEqual([]);
    expect(server).not.toHaveBeenCalled();
  });

  it("fetches the session as the program does, which then does not fetch it again", async () => {
    const server = vi.fn(async (_address: string) => somebody());
    open("/record", server);
    await fetchVisitor();
    expect(getUserId()).toBe("1");
    expect(server).toHaveBeenCalledTimes(1);
    // An answer is of its time: the next question is asked.
    await fetchVisitor();
    expect(server).toHaveBeenCalledTimes(2);
    expect(server.mock.calls[0]?.[0]).toBe(server.mock.calls[1]?.[0]);
  });

  it("does not fetch the session while a sign-out is pending", () => {
    localStorage.setItem("signingOut", "true");
    const server = vi.fn(async () => nobody());
    open("/record", server);
    expect(server).not.toHaveBeenCalled();
  });

  it.each([
    ["in another tab", async () => otherTab.say("changed")],
    ["here", () => trpc.auth.signOut.mutate()],
  ])("is requested again after a sign-in or sign-out, %s", async (_name, change) => {
    const server = vi.fn(async (_address: string) => nobody());
    open("/record", server);
    await change();
    server.mockClear();
    await fetchVisitor();
    expect(server).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["where no response came", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["where the server failed", async () => new Response(null, { status: 500 })],
    ["where the call failed", async () => Response.json([{ error: { data: {} } }])],
  ])("is repeated %s", async (_name, fail) => {
    const server = vi.fn(async (_address: string) => somebody());
    server.mockImplementationOnce(fail);
    open("/record", server);
    await fetchVisitor();
    expect(getUserId()).toBe("1");
    expect(server).toHaveBeenCalledTimes(2);
  });
});

it("does not affect other requests", async () => {
  const server = vi.fn(async () => nobody());
  open("/record", server);
  const signal = new AbortController().signal;
  await fetchNow("/trpc/site.info", { signal });
  expect(server).toHaveBeenLastCalledWith("/trpc/site.info", { signal });
  await expect(takeHeadStart()).resolves.not.toBeNull();
});

it("lets the next document know who was here, and nobody", async () => {
  const unconfirmed = { ...user, emailVerified: false };
  const answers = [unconfirmed, user, null];
  open("/", async () => Response.json([{ result: { data: { user: answers.shift() } } }]));
  const remembered: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    await fetchVisitor();
    remembered.push(JSON.parse(localStorage.getItem("signedIn") ?? "null"));
  }
  expect(remembered).toEqual([unconfirmed, user, null]);
});
