// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import type { RecapRequest } from "#shared/recap.ts";
import type { AnswerPiece } from "#shared/statements.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const request: RecapRequest = {
  rows: [{ id: "r1", text: "Light bends." }],
  spokenIn: "en",
  language: "es",
  wordContext: "",
  before: "",
};
const site = (llm: boolean) => ({ standIns: { speech: false, llm, mail: false, payments: false } });
const line = '{"rows": ["r1"], "quote": "Light", "text": "La luz se curva."}';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  localStorage.clear();
});

/** The module in a browser whose language model answers `pieces`; null: it has none. */
async function load(
  pieces: string[] | null,
  options: { availability?: string; fails?: Error } = {},
) {
  const created: object[] = [];
  const destroy = vi.fn();
  if (pieces !== null)
    vi.stubGlobal("LanguageModel", {
      availability: async () => options.availability ?? "available",
      create: async (settings: object) => {
        created.push(settings);
        return {
          async *promptStreaming() {
            if (options.fails) throw options.fails;
            yield* pieces;
          },
          destroy,
        };
      },
    });
  const { askForRecap, listRecapEngines } = await import("#client/state/recap.ts");
  const ask = async (signal = new AbortController().signal) => {
    const found: AnswerPiece[] = [];
    for await (const piece of askForRecap(request, signal)) found.push(piece);
    return found;
  };
  return { listRecapEngines, ask, created, destroy };
}

test("the site's model comes first, the browser's where the person wants it or the site has none", async () => {
  const { listRecapEngines } = await load(null);
  const own = { ...site(false), isDemoDefault: false };
  const demo = { ...site(true), isDemoDefault: false };
  expect(listRecapEngines(own, null, true)).toEqual(["service"]);
  expect(listRecapEngines(own, "browser", true)).toEqual(["browser", "service"]);
  expect(listRecapEngines(own, "browser", false)).toEqual(["service"]);
  expect(listRecapEngines(demo, null, true)).toEqual(["browser"]);
  expect(listRecapEngines(demo, null, false)).toEqual([]);
  expect(listRecapEngines(demo, "service", true)).toEqual(["service"]);
  expect(listRecapEngines({ ...demo, isDemoDefault: true }, null, true)).toEqual(["service"]);
  expect(listRecapEngines(null, null, true)).toEqual(["browser"]);
});

test("asks the browser's model what the site's is asked, and checks its answer", async () => {
  fakeServer({ "site.info": () => ({ ...site(true), isDemoDefault: false }) });
  const unknown = '{"rows": ["r7"], "quote": "", "text": "The exam is cancelled."}';
  const { ask, created, destroy } = await load([unknown, `\n${line}`]);
  expect(await ask()).toEqual([
    { kind: "begin", rows: ["r1"], quote: "Light" },
    { kind: "text", text: "La luz se curva." },
    { kind: "end" },
  ]);
  expect(created).toMatchObject([
    {
      expectedOutputs: [{ type: "text", languages: ["es"] }],
      initialPrompts: [{ role: "system", content: expect.stringContaining("Task: recap") }],
    },
  ]);
  expect(destroy).toHaveBeenCalledOnce();
});

test.each([
  ["has no model", null, {}],
  ["cannot write the language", [line], { availability: "unavailable" }],
  ["would have to download it unasked", [line], { availability: "downloadable" }],
])("says that nothing can answer where the browser %s", async (_, pieces, options) => {
  fakeServer({ "site.info": () => ({ ...site(true), isDemoDefault: false }) });
  const { ask, created } = await load(pieces, options);
  const failure = await ask().catch((error: unknown) => error);
  expect(failure?.constructor.name).toBe("NoTranslatorError");
  expect(created).toEqual([]);
});

test("says that a prompt is too long for the browser's model, and that its answer has no statement", async () => {
  fakeServer({ "site.info": () => ({ ...site(true), isDemoDefault: false }) });
  const quota = Object.assign(new Error("too long"), { name: "QuotaExceededError" });
  const first = await load([line], { fails: quota });
  await expect(first.ask()).rejects.toMatchObject({ code: "payload_too_large" });
  vi.resetModules();
  const second = await load(["The exam is cancelled."]);
  await expect(second.ask()).rejects.toMatchObject({ code: "llm_unusable" });
});
