// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchWithHeadStart } from "#client/lib/head-start.ts";
import { trpc } from "#client/state/trpc.ts";

const pages = { "/record": { both: ["record.js"], en: ["en.js"], zh: ["zh.js", "more.js"] } };

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

const nobody = () => Response.json([{ result: { data: { user: null } } }]);

beforeEach(() => {
  localStorage.clear();
  delete window.headStart;
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("BroadcastChannel", function open() {
    return otherTab;
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("what the document asks for before the program is there", () => {
  it("is the page's files, with the words of the language that is remembered", () => {
    const server = async () => nobody();
    expect(open("/record", server)).toEqual([
      "/assets/record.js",
      "/assets/zh.js",
      "/assets/more.js",
    ]);
    localStorage.setItem("interfaceLanguage", "en");
    expect(open("/record?lecture=1", server)).toEqual(["/assets/record.js", "/assets/en.js"]);
  });

  it("is nothing for a page that the build has not noted", () => {
    const server = vi.fn(async () => nobody());
    expect(open("/verify", server)).toEqual([]);
    expect(server).not.toHaveBeenCalled();
  });

  it("is who is there, in the words of the program, which then does not ask again", async () => {
    const server = vi.fn(async (_address: string) => nobody());
    open("/record", server);
    await expect(trpc.auth.session.query()).resolves.toEqual({ user: null });
    expect(server).toHaveBeenCalledTimes(1);
    // An answer is of its time: the next question is asked.
    await trpc.auth.session.query();
    expect(server).toHaveBeenCalledTimes(2);
    expect(server.mock.calls[0]?.[0]).toBe(server.mock.calls[1]?.[0]);
  });

  it("is not who is there while a sign-out has not been told", () => {
    localStorage.setItem("signingOut", "true");
    const server = vi.fn(async () => nobody());
    open("/record", server);
    expect(server).not.toHaveBeenCalled();
  });

  it.each([
    ["in another tab", async () => otherTab.say("changed")],
    ["here", () => trpc.auth.signOut.mutate()],
  ])("is asked again where somebody came or went meanwhile, %s", async (_name, change) => {
    const server = vi.fn(async (_address: string) => nobody());
    open("/record", server);
    await change();
    server.mockClear();
    await trpc.auth.session.query();
    expect(server).toHaveBeenCalledTimes(1);
  });

  it("is asked again where no answer came", async () => {
    const server = vi.fn(async (_address: string) => nobody());
    server.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    open("/record", server);
    await expect(trpc.auth.session.query()).resolves.toEqual({ user: null });
    expect(server).toHaveBeenCalledTimes(2);
  });
});

it("other questions go their way", async () => {
  const server = vi.fn(async () => nobody());
  open("/record", server);
  const signal = new AbortController().signal;
  await fetchWithHeadStart("/trpc/site.info", { signal });
  expect(server).toHaveBeenLastCalledWith("/trpc/site.info", { signal });
});
