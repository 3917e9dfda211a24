import { afterEach, beforeEach, expect, test, vi } from "vitest";

const origin = "https://dualect.example";
const script = "/assets/base-2.js";
const runtime = "/assets/device-speech/runtime-2222222.wasm";
const speech = "/assets/device-speech/speech-2222222.js";
const pdf = "/assets/pdf/pdf-2222222.js";
const program = {
  version: "v2",
  files: ["/", script, "/start.js"],
  filesOnUse: [runtime, speech, pdf],
};

/** The caches of one site, in the order of their making. */
const stored = new Map<string, Map<string, Response>>();
const getPath = (input: string | { url: string }) =>
  new URL(typeof input === "string" ? input : input.url, origin).pathname;

const caches = {
  async open(name: string) {
    const cache = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, cache);
    return {
      put: async (input: string | { url: string }, answer: Response) =>
        void cache.set(getPath(input), answer),
      keys: async () => [...cache.keys()].map((path) => ({ url: origin + path })),
      delete: async (path: string) => cache.delete(path),
    };
  },
  async match(input: string | { url: string }, options: { cacheName?: string } = {}) {
    for (const [name, cache] of stored) {
      const found = cache.get(getPath(input));
      if (found && (options.cacheName ?? name) === name) return found.clone();
    }
    return undefined;
  },
  keys: async () => [...stored.keys()],
  delete: async (name: string) => stored.delete(name),
};

const html = (text: string, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8" } });
const code = (text: string) =>
  new Response(text, { headers: { "content-type": "text/javascript" } });

const currentPage = '<meta name="version" content="v2">';

let network: (path: string) => Promise<Response>;
const listeners = new Map<string, (event: object) => void>();

/** Has the worker do what `type` asks for, and waits for that. */
async function extend(type: "install" | "activate"): Promise<void> {
  const work: Promise<unknown>[] = [];
  listeners.get(type)?.({ waitUntil: (done: Promise<unknown>) => work.push(done) });
  await Promise.all(work);
}

function ask(
  path: string,
  mode: "navigate" | "cors",
  preload: Promise<Response | undefined> = Promise.resolve(undefined),
): Promise<Response> {
  const answers: Promise<Response>[] = [];
  listeners.get("fetch")?.({
    request: { method: "GET", url: origin + path, mode },
    preloadResponse: preload,
    respondWith: (answer: Promise<Response>) => answers.push(answer),
  });
  const [answer] = answers;
  if (!answer) throw new Error(`${path} is left to the network`);
  return answer;
}

beforeEach(async () => {
  vi.useFakeTimers();
  stored.clear();
  network = async (path) => (path === "/" ? html(currentPage) : code(path));
  vi.stubGlobal("SHELL", program);
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("fetch", (input: string | { url: string }) => network(getPath(input)));
  vi.stubGlobal("self", {
    location: { origin },
    addEventListener: (type: string, run: (event: object) => void) => listeners.set(type, run),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
    registration: { navigationPreload: { enable: async () => {} } },
  });
  // Not by `import`: its types are those of a worker.
  await vi.importActual("../../../src/service-worker/index.ts");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("does not install when the document comes in place of a missing file", async () => {
  network = async (path) => (path === "/start.js" ? code(path) : html("new"));
  await expect(extend("install")).rejects.toThrow(script);
  expect(stored.get("shell-v2")?.has(script)).toBe(false);
});

test.each(["before", "while"])(
  "does not install when a new version is deployed %s its files are fetched",
  async (moment) => {
    let isDeployed = moment === "before";
    network = async (path) => {
      const answer = path === "/" ? html(isDeployed ? "newer" : currentPage) : code(path);
      if (path === "/start.js") isDeployed = true;
      return answer;
    };
    await expect(extend("install")).rejects.toThrow("not of version v2");
    expect(stored.get("shell-v2")?.has("/")).toBe(false);
  },
);

test("keeps this version's files after a rollback, and those of two others", async () => {
  for (const version of ["v2", "v3", "v4", "v5"]) stored.set(`shell-${version}`, new Map());
  await extend("install");
  await extend("activate");
  expect([...stored.keys()]).toEqual(["shell-v2", "shell-v4", "shell-v5"]);
});

test("uses the cache when the network fails, hangs or responds with an error", async () => {
  await extend("install");
  const troubles: (typeof network)[] = [
    () => Promise.reject(new TypeError("Failed to fetch")),
    () => new Promise<Response>(() => {}),
    async () => html("broken", 503),
  ];
  for (const trouble of troubles) {
    network = trouble;
    const answers = [ask("/record", "navigate"), ask("/start.js?1", "cors")];
    await vi.advanceTimersByTimeAsync(4_000);
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
    expect(texts).toEqual([currentPage, "/start.js"]);
  }
  network = async () => html("newer");
  expect(await (await ask("/record", "navigate")).text()).toBe("newer");
});

test.each<[string, () => Promise<Response>]>([
  ["gives an error", async () => Response.error()],
  ["fails", () => Promise.reject(new TypeError("NetworkError"))],
])("opens the stored page offline where the browser's preload %s", async (_, preload) => {
  await extend("install");
  network = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await (await ask("/record", "navigate", preload())).text()).toBe(currentPage);
});

test("asks the network for the page where only the preload has failed, and passes a redirect on", async () => {
  await extend("install");
  network = async () => html("newer");
  const failed = ask("/record", "navigate", Promise.resolve(Response.error()));
  expect(await (await failed).text()).toBe("newer");
  // As a navigation gets it; no status but that of an error is 0 otherwise.
  const redirect = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
  expect(await ask("/record", "navigate", Promise.resolve(redirect))).toBe(redirect);
});

test("stores a file that few need once it is used, and then opens it without a network", async () => {
  await extend("install");
  expect(stored.get("shell-v2")?.has(runtime)).toBe(false);
  expect(await (await ask(runtime, "cors")).text()).toBe(runtime);
  network = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await (await ask(runtime, "cors")).text()).toBe(runtime);
  await expect(ask(speech, "cors")).rejects.toThrow("Failed to fetch");
});

test("does not store an answer that is not the file, and none of another version", async () => {
  await extend("install");
  network = async () => new Response("gone", { status: 404 });
  expect((await ask(runtime, "cors")).status).toBe(404);
  network = async () => html("the document");
  await ask(runtime, "cors");
  network = async (path) => code(path);
  await ask("/assets/device-speech/runtime-1111111.wasm", "cors");
  expect([...(stored.get("shell-v2")?.keys() ?? [])].sort()).toEqual([...program.files].sort());
});

test("installs this version of the files that were used before, once", async () => {
  const ofV1 = "/assets/device-speech/speech-1111111.js";
  stored.set(
    "shell-v1",
    new Map([
      [ofV1, code("speech 1")],
      [runtime, code("the same runtime")],
    ]),
  );
  const fetched: string[] = [];
  network = async (path) => {
    fetched.push(path);
    return path === "/" ? html(currentPage) : code(path);
  };
  await extend("install");
  expect(fetched).toContain(speech);
  expect(fetched).not.toContain(runtime);
  // A page of the version before still finds it.
  expect([...(stored.get("shell-v1")?.keys() ?? [])]).toEqual([ofV1]);
  network = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await (await ask(runtime, "cors")).text()).toBe("the same runtime");
  expect(await (await ask(speech, "cors")).text()).toBe(speech);
});

test("installs a file that is new in this version beside those that were used, and none of another folder", async () => {
  stored.set("shell-v1", new Map([["/assets/device-speech/speech-1111111.js", code("speech 1")]]));
  network = async (path) => (path === "/" ? html(currentPage) : code(path));
  await extend("install");
  const installed = stored.get("shell-v2");
  expect([speech, runtime, pdf].map((path) => installed?.has(path))).toEqual([true, true, false]);
});

test("installs without the files that few need when they cannot be fetched", async () => {
  stored.set("shell-v1", new Map([["/assets/device-speech/speech-1111111.js", code("speech 1")]]));
  network = async (path) => {
    if (path === speech) throw new TypeError("Failed to fetch");
    return path === "/" ? html(currentPage) : code(path);
  };
  await extend("install");
  expect(stored.get("shell-v2")?.has("/")).toBe(true);
});
