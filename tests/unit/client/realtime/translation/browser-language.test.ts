import { describe, expect, it } from "vitest";
import { ApiError } from "#client/lib/api-error.ts";
import type { EngineAvailability } from "#client/realtime/recognition/web-speech.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import { createBrowserLanguage } from "#client/realtime/translation/browser-language.ts";
import type {
  BuiltInAi,
  BuiltInSummarizer,
  TranslatorConstructor,
} from "#client/realtime/translation/built-in-ai.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

const signal = new AbortController().signal;
const log = { warn: () => {} };

type CreateTranslator = TranslatorConstructor["create"];

function createTranslator(
  availability: EngineAvailability,
  create: CreateTranslator = async ({ targetLanguage }) => ({
    translate: async (text) => `${targetLanguage}: ${text}`,
  }),
): TranslatorConstructor {
  return { availability: async () => availability, create };
}

function setUp(scope: BuiltInAi, { hasServerModel = false } = {}) {
  const clock = new ManualClock(0);
  const server = {
    translate: async ({ text }) => `server: ${text}`,
    async *summarize() {
      yield "server summary";
    },
  } satisfies Partial<SessionApi> as unknown as SessionApi;
  const language = createBrowserLanguage(scope, {
    translators: null,
    server,
    clock,
    log,
    hasServerModel: () => hasServerModel,
  });
  const translate = (text: string, targetLanguage: "zh-cn" | "de" = "zh-cn") =>
    language.api.translate({ text, targetLanguage, context: "", wordContext: "" }, signal);
  const summarize = async (
    english: string,
    targetLanguage: "none" | "ar" = "none",
    marked: MarkedSentence[] = [],
  ) => {
    const input = { marked, lectureId: "l1", targetLanguage, english };
    return await joinPieces(language.api.summarize(input, signal));
  };
  return { clock, translate, summarize, translators: language.translators };
}

async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe("translation in the browser", () => {
  it("translates with the translator of each language once it is ready", async () => {
    const { translators, translate } = setUp({ Translator: createTranslator("available") });
    await translators?.prepare("zh-cn");
    expect(await translate("Hello")).toBe("zh: Hello");
  });

  it("prepares a language that is used for the first time", async () => {
    const { clock, translators, translate } = setUp(
      { Translator: createTranslator("available") },
      { hasServerModel: true },
    );
    await translators?.prepare("zh-cn");
    expect(await translate("Hello", "de")).toBe("server: Hello");
    await clock.advance(10);
    expect(await translate("Hello", "de")).toBe("de: Hello");
  });

  it("reports the progress of a download", async () => {
    const target = new EventTarget();
    let finish = () => {};
    const { clock, translators } = setUp({
      Translator: createTranslator("downloadable", async ({ monitor }) => {
        monitor(target);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { translate: async (text) => text };
      }),
    });
    const prepared = translators?.prepare("zh-cn");
    await clock.advance(1_000);
    expect(translators?.getState("zh-cn")).toEqual({ kind: "preparing", download: 0 });
    target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded: 0.4 }));
    expect(translators?.getState("zh-cn")).toEqual({ kind: "preparing", download: 0.4 });
    await clock.advance(50_000);
    finish();
    await prepared;
    expect(translators?.getState("zh-cn")).toEqual({ kind: "ready" });
    expect(clock.timers).toBe(0);
  });

  it("keeps sentences waiting during a download where the site has no model", async () => {
    const { clock, translators, translate } = setUp({
      Translator: createTranslator("downloadable", () => new Promise(() => {})),
    });
    void translators?.prepare("zh-cn");
    await clock.advance(1_000);
    await expect(translate("Hello")).rejects.toEqual(new ApiError("unavailable", true));
  });

  it("asks the site's model during a download", async () => {
    const { clock, translators, translate } = setUp(
      { Translator: createTranslator("downloadable", () => new Promise(() => {})) },
      { hasServerModel: true },
    );
    void translators?.prepare("zh-cn");
    await clock.advance(1_000);
    expect(await translate("Hello")).toBe("server: Hello");
  });

  it.each<[string, TranslatorConstructor]>([
    ["is not available", createTranslator("unavailable")],
    [
      "never answers",
      { ...createTranslator("available"), availability: () => new Promise(() => {}) },
    ],
    ["is never created", createTranslator("downloadable", () => new Promise(() => {}))],
    [
      "cannot be downloaded",
      createTranslator("downloadable", () => Promise.reject(new DOMException("", "NetworkError"))),
    ],
  ])("asks the server when the translator %s", async (_, Translator) => {
    const { clock, translators, translate } = setUp({ Translator });
    const prepared = translators?.prepare("zh-cn");
    await clock.advance(30_000);
    await prepared;
    expect(translators?.getState("zh-cn")).toEqual({ kind: "failed" });
    expect(await translate("Hello")).toBe("server: Hello");
    expect(clock.timers).toBe(0);
  });

  it("asks the server for a sentence that the browser cannot translate", async () => {
    const { translators, translate } = setUp({
      Translator: createTranslator("available", async () => ({
        translate: async (text) => {
          if (text === "bad") throw new Error("no");
          return `zh: ${text}`;
        },
      })),
    });
    await translators?.prepare("zh-cn");
    expect(await translate("bad")).toBe("server: bad");
    expect(await translate("good")).toBe("zh: good");
  });
});

describe("summary in the browser", () => {
  const createSummarizer = (
    inputQuota: number,
    inputs: string[] = [],
    contexts: (string | undefined)[] = [],
  ): BuiltInAi => ({
    Summarizer: {
      availability: async ({ outputLanguage }) =>
        outputLanguage === "en" ? "available" : "unavailable",
      create: async (): Promise<BuiltInSummarizer> => ({
        inputQuota,
        measureInputUsage: async (text) => text.length,
        summarize: async (text, { context }) => {
          inputs.push(text);
          contexts.push(context);
          return `- ${text.slice(0, 5)}`;
        },
        destroy: () => {},
      }),
    },
  });

  it("summarises with the browser's engine", async () => {
    expect(await setUp(createSummarizer(1_000)).summarize("Entropy grows.")).toBe("- Entro");
  });

  it("summarises a long text in parts that fit", async () => {
    const inputs: string[] = [];
    const english = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");
    const summary = await setUp(createSummarizer(100, inputs)).summarize(english);
    expect(summary).toMatch(/^- /);
    expect(inputs.length).toBeGreaterThan(10);
    expect(Math.max(...inputs.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const parts = inputs.filter((text) => text.startsWith("word")).join(" ");
    expect(parts).toBe(english);
  });

  it("tells the engine what is marked", async () => {
    const contexts: (string | undefined)[] = [];
    const summarizer = createSummarizer(1_000, [], contexts);
    await setUp(summarizer).summarize("Entropy grows.");
    await setUp(summarizer).summarize("Entropy grows.", "none", [
      { sentence: "Entropy grows.", note: "Exam" },
    ]);
    expect(contexts[0]).toBeUndefined();
    expect(contexts[1]).toMatch(/⚑ Entropy grows\.\n {2}Note: Exam$/);
  });

  it("asks the server in a language that the engine does not write", async () => {
    expect(await setUp(createSummarizer(1_000)).summarize("Entropy.", "ar")).toBe("server summary");
  });

  it("asks the server where the browser has no engine", async () => {
    expect(await setUp({}).summarize("Entropy grows.")).toBe("server summary");
  });
});
