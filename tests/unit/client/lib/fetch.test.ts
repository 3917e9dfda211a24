// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchNow, takeHeadStart } from "#client/lib/fetch.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { foldersQuery } from "#client/state/library/use-folders.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { fetchVisitor } from "#client/state/session.ts";
import { trpc } from "#client/state/trpc.ts";
import { getUserId } from "#client/state/visitor.ts";
import { namesHeader, rowIdNames } from "#shared/site.ts";

const pages = {
  "/": { first: ["home.js"], en: [], zh: [], second: [] },
  "/record": {
    first: ["record.js"],
    en: ["en.js"],
    zh: ["zh.js", "more.js"],
    second: ["screen.js"],
  },
  "/record?lecture": { first: ["record.js"], en: [], zh: [], second: ["screen.js", "stored.js"] },
  "/auth": { first: ["auth.js"], en: [], zh: [], second: [] },
};

/** The document at `path`, when its script has run; what the server is asked goes to `server`. */
function open(path: string, server: (address: string) => Promise<Response>) {
  vi.stubGlobal("fetch", server);
  delete window.headStart;
  history.replaceState(null, "", path);
  document.head.innerHTML = `<script type="application/json" id="pages">${JSON.stringify(pages)}</script>`;
  new Function(readFileSync("public/start.js", "utf8"))();
  return listPreloads();
}

const listPreloads = () =>
  [...document.head.querySelectorAll("link[rel=modulepreload]")].map((link) =>
    link.getAttribute("href"),
  );

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
    let paint = () => {};
    class FakeObserver {
      constructor(report: (paints: unknown, observer: FakeObserver) => void) {
        paint = () => report(null, this);
      }
      observe() {}
      disconnect() {}
    }
    vi.stubGlobal("PerformanceObserver", FakeObserver);
    const server = async () => nobody();
    const first = ["/assets/record.js", "/assets/zh.js", "/assets/more.js"];
    expect(open("/record", server)).toEqual(first);
    // Once the page that the document shows is on the screen.
    paint();
    expect(listPreloads()).toEqual([...first, "/assets/screen.js"]);
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
  await expect(takeHeadStart("auth.session", undefined)).resolves.toEqual({ data: { user: null } });
});

it("asks for the lectures and folders of the home page as the program does", async () => {
  const answer = (data: object) => ({ result: { data } });
  const folders = { folders: [], total: 0, uncategorized: 0 };
  const lectures = { items: [], name: "lectures", nextCursor: null };
  const server = vi.fn(async (address: string) =>
    address.includes("lectures.list")
      ? Response.json([answer(folders), answer(lectures)])
      : somebody(),
  );
  open("/", server);
  expect(server).toHaveBeenCalledTimes(2);
  const client = new QueryClient();
  await expect(client.fetchQuery(foldersQuery)).resolves.toEqual(folders);
  await expect(client.fetchInfiniteQuery(lecturePagesQuery({}))).resolves.toMatchObject({
    pages: [{ name: "lectures" }],
  });
  expect(server).toHaveBeenCalledTimes(2);
});

it.each([
  ["a folder of the home page", "/?folder=1", {}],
  ["a guest", "/", { guestMode: "true" }],
])("asks for no lectures for %s", (_name, address, { guestMode }: { guestMode?: string }) => {
  if (guestMode) {
    localStorage.clear();
    localStorage.setItem("guestMode", guestMode);
  }
  const server = vi.fn(async (_address: string) => somebody());
  open(address, server);
  expect(server.mock.calls.filter(([asked]) => asked.includes("lectures"))).toEqual([]);
});

describe("the document's request for the lecture of its address", () => {
  const id = "4b1e7a52-52a8-4a73-9d5e-0c8a2f5f9a10";
  const path = `/record?lecture=${id}`;
  const calls = "/trpc/lectures.get,marks.list,takes.list?batch=1&";
  type Send = (address: string, init?: RequestInit) => Promise<Response>;

  /** A server with a lecture of one page, whose name is the request's number. */
  function createServer() {
    let requests = 0;
    return vi.fn<Send>(async (address) => {
      if (!address.startsWith(calls)) return somebody();
      const list = { result: { data: { items: [], nextCursor: null } } };
      requests += 1;
      const lecture = { name: `${requests}`, entries: [], nextCursor: null };
      return Response.json([{ result: { data: lecture } }, list, list]);
    });
  }
  const listRequests = (server: ReturnType<typeof createServer>) =>
    server.mock.calls.filter(([address]) => address.startsWith(calls));

  it("is the program's own, which takes its answer once", async () => {
    const server = createServer();
    expect(open(path, server)).toContain("/assets/stored.js");
    expect(listRequests(server)).toHaveLength(1);
    await expect(fetchLecture(id)).resolves.toMatchObject({ name: "1", marks: [], takes: [] });
    expect(listRequests(server)).toHaveLength(1);
    await expect(fetchLecture(id)).resolves.toMatchObject({ name: "2" });
    const [early, own, ...others] = listRequests(server);
    expect(others).toEqual([]);
    expect(early?.[0]).toBe(own?.[0]);
    const readNames = (call?: Parameters<Send>) => new Headers(call?.[1]?.headers).get(namesHeader);
    expect(readNames(early)).toBe(rowIdNames);
    expect(readNames(own)).toBe(rowIdNames);
  });

  it.each([
    ["an address without a lecture", "/record", {}],
    ["an address with another text", "/record?lecture=1", {}],
    ["another page", `/?lecture=${id}`, {}],
    ["a guest", path, { signedIn: null, guestMode: "true" }],
    ["a visitor whose sign-out is pending", path, { signingOut: "true" }],
  ])("is not made for %s", (_name, address, stored) => {
    for (const [key, value] of Object.entries<string | null>(stored))
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    const server = createServer();
    open(address, server);
    expect(listRequests(server)).toEqual([]);
  });

  it("is not answered for another lecture", async () => {
    const server = createServer();
    open(path, server);
    await fetchLecture("f0a1e7a5-52a8-4a73-9d5e-0c8a2f5f9a10");
    expect(listRequests(server)).toHaveLength(2);
  });

  it.each([
    ["no response came", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["the server refused it", async () => new Response(null, { status: 401 })],
    ["the response is no JSON", async () => new Response("<p>Sign in to this network</p>")],
  ])("is repeated where %s", async (_name, fail) => {
    const server = createServer();
    server.mockImplementationOnce(async () => somebody()).mockImplementationOnce(fail);
    open(path, server);
    await expect(fetchLecture(id)).resolves.toMatchObject({ name: "1" });
    expect(listRequests(server)).toHaveLength(2);
  });

  it("is repeated in the part that failed", async () => {
    const server = createServer();
    const list = { result: { data: { items: [], nextCursor: null } } };
    server
      .mockImplementationOnce(async () => somebody())
      .mockImplementationOnce(async () =>
        Response.json([{ error: { data: {} } }, list, list], { status: 207 }),
      )
      .mockImplementationOnce(async () =>
        Response.json([{ result: { data: { name: "own", entries: [], nextCursor: null } } }]),
      );
    open(path, server);
    await expect(fetchLecture(id)).resolves.toMatchObject({ name: "own" });
    expect(server.mock.calls.at(-1)?.[0]).toMatch(/^\/trpc\/lectures\.get\?/);
  });

  it.each([
    ["somebody signed in or out in another tab", async () => otherTab.say("changed")],
    ["something was changed here", () => trpc.auth.signOut.mutate()],
  ])("is repeated after %s, even while it was waited for", async (_name, change) => {
    for (const isWaiting of [false, true]) {
      const server = createServer();
      const held = Promise.withResolvers<void>();
      const first = await server(calls);
      server
        .mockImplementationOnce(async () => somebody())
        .mockImplementationOnce(() => held.promise.then(() => first));
      open(path, server);
      const early = isWaiting ? fetchLecture(id) : null;
      await change();
      server.mockClear();
      held.resolve();
      await expect(early ?? fetchLecture(id)).resolves.toMatchObject({ name: "2" });
      expect(listRequests(server)).toHaveLength(1);
    }
  });

  it("is repeated for a program that needs it much later", async () => {
    vi.useFakeTimers();
    const server = createServer();
    open(path, server);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await fetchLecture(id);
    expect(listRequests(server)).toHaveLength(2);
  });
});

it("lets the next document know who was here, and nobody", async () => {
  const unconfirmed = { ...user, emailVerified: false };
  const answers = [unconfirmed, user, null];
  open("/record", async () => Response.json([{ result: { data: { user: answers.shift() } } }]));
  const remembered: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    await fetchVisitor();
    remembered.push(JSON.parse(localStorage.getItem("signedIn") ?? "null"));
  }
  expect(remembered).toEqual([unconfirmed, user, null]);
});
