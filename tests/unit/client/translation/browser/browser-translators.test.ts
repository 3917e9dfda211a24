import { describe, expect, it } from "vitest";
import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";
import { BrowserTranslators } from "#client/translation/browser/browser-translators.ts";
import type {
  BuiltInTranslator,
  TranslatorConstructor,
} from "#client/translation/browser/built-in-ai.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const signal = new AbortController().signal;

/** Translators whose creation goes on as the test says. */
function setUp(availability: EngineAvailability | "silent", mayDownload = true) {
  const clock = new ManualClock(0);
  const creations: {
    tags: string;
    signal: AbortSignal;
    report(loaded: number): void;
    finish(): void;
    fail(): void;
  }[] = [];
  const factory: TranslatorConstructor = {
    availability: () =>
      availability === "silent" ? new Promise(() => {}) : Promise.resolve(availability),
    create: ({ monitor, signal: ended, sourceLanguage, targetLanguage }) =>
      new Promise<BuiltInTranslator>((resolve, reject) => {
        const target = new EventTarget();
        monitor(target);
        creations.push({
          tags: `${sourceLanguage} ${targetLanguage}`,
          signal: ended,
          report: (loaded) =>
            target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded })),
          finish: () => resolve({ translate: async (text) => `${targetLanguage}: ${text}` }),
          fail: () => reject(new DOMException("", "NetworkError")),
        });
      }),
  };
  const translators = new BrowserTranslators(factory, {
    clock,
    log: { warn() {} },
    mayDownload: () => mayDownload,
  });
  const getKind = () => translators.states.get().get("en>zh-cn")?.kind;
  return { clock, creations, translators, getKind };
}

const pair = { sourceLanguage: "en", targetLanguage: "zh-cn" } as const;
const hello = { text: "Hello", ...pair, context: "", wordContext: "" };

describe("a translator of this browser", () => {
  it("is prepared when its language is used for the first time", async () => {
    const { clock, creations, translators } = setUp("available");
    expect(translators.getState(pair)).toBe("preparing");
    await clock.advance(0);
    creations[0]?.finish();
    await clock.advance(0);
    expect(translators.getState(pair)).toBe("ready");
    expect(await translators.translate(hello, signal)).toBe("zh: Hello");
    expect(clock.timers).toBe(0);
  });

  it("is another one for each pair, by the tags that the browser knows", async () => {
    const { clock, creations, translators } = setUp("available");
    const pairs = [
      ["de", "en"],
      ["en", "de"],
      ["zh", "en"],
      ["en", "zh"],
      ["en", "zh-cn"],
      ["he", "en"],
      ["ja", "he"],
    ] as const;
    for (const [sourceLanguage, targetLanguage] of pairs)
      translators.getState({ sourceLanguage, targetLanguage });
    await clock.advance(0);
    expect(creations.map(({ tags }) => tags)).toEqual([
      "de en",
      "en de",
      "zh en",
      "en zh-Hant",
      "en zh",
      "iw en",
      "ja iw",
    ]);
    creations[0]?.finish();
    await clock.advance(0);
    expect(translators.getState({ sourceLanguage: "de", targetLanguage: "en" })).toBe("ready");
    expect(translators.getState({ sourceLanguage: "en", targetLanguage: "de" })).toBe("preparing");
    await expect(translators.translate(hello, signal)).rejects.toThrow();
  });

  it("reports the progress of a download", async () => {
    const { clock, creations, translators } = setUp("downloadable");
    void translators.prepare(pair);
    await clock.advance(0);
    const getState = () => translators.states.get().get("en>zh-cn");
    expect(getState()).toEqual({ kind: "preparing", download: null });
    await clock.advance(4_000);
    creations[0]?.report(0);
    expect(getState()).toEqual({ kind: "preparing", download: 0 });
    await clock.advance(9_000);
    creations[0]?.report(0.4);
    await clock.advance(9_000);
    expect(getState()).toEqual({ kind: "preparing", download: 0.4 });
  });

  it.each<[string, EngineAvailability | "silent", number]>([
    ["says nothing about itself for 5 s", "silent", 5_000],
    ["is not created in 10 s", "available", 10_000],
    ["begins no download in 5 s", "downloadable", 5_000],
  ])("is given up when it %s", async (_, availability, ms) => {
    const { clock, translators } = setUp(availability);
    void translators.prepare(pair);
    await clock.advance(ms - 1);
    expect(translators.getState(pair)).toBe("preparing");
    await clock.advance(1);
    expect(translators.getState(pair)).toBe("unavailable");
    expect(clock.timers).toBe(0);
  });

  it("is given up when a download only repeats what it has loaded", async () => {
    const { clock, creations, getKind, translators } = setUp("downloadable");
    void translators.prepare(pair);
    await clock.advance(0);
    creations[0]?.report(0.4);
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await clock.advance(1_000);
      creations[0]?.report(0.4);
    }
    expect(getKind()).toBe("stalled");
  });

  it("comes back when a download that stalled goes on", async () => {
    const { clock, creations, getKind, translators } = setUp("downloadable");
    void translators.prepare(pair);
    await clock.advance(60_000);
    expect(getKind()).toBe("stalled");
    creations[0]?.report(0.5);
    expect(translators.getState(pair)).toBe("preparing");
    await clock.advance(60_000);
    expect(getKind()).toBe("stalled");
    creations[0]?.finish();
    await clock.advance(0);
    expect(getKind()).toBe("ready");
  });

  it("is created anew when the person wants that, and the old one is dropped", async () => {
    const { clock, creations, getKind, translators } = setUp("downloadable");
    void translators.prepare(pair);
    await clock.advance(60_000);
    void translators.prepare(pair);
    await clock.advance(0);
    expect(creations).toHaveLength(2);
    expect(creations[0]?.signal.aborted).toBe(true);
    creations[0]?.fail();
    await clock.advance(0);
    expect(getKind()).toBe("preparing");
    creations[1]?.finish();
    await clock.advance(0);
    expect(getKind()).toBe("ready");
  });

  it("is not there when it is unavailable, or its download fails or is not wanted", async () => {
    const unavailable = setUp("unavailable");
    void unavailable.translators.prepare(pair);
    await unavailable.clock.advance(0);
    expect(unavailable.getKind()).toBe("unsupported");
    const failing = setUp("downloadable");
    void failing.translators.prepare(pair);
    await failing.clock.advance(0);
    failing.creations[0]?.fail();
    await failing.clock.advance(0);
    expect(failing.getKind()).toBe("failed");
    const unwanted = setUp("downloadable", false);
    void unwanted.translators.prepare(pair);
    await unwanted.clock.advance(0);
    expect(unwanted.getKind()).toBe("failed");
    expect(unwanted.creations).toHaveLength(0);
  });
});
