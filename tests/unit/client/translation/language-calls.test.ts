import { describe, expect, it } from "vitest";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";
import { BrowserTranslators } from "#client/translation/browser/browser-translators.ts";
import type {
  BuiltInAi,
  BuiltInSummarizer,
  SummarizerConstructor,
  TranslatorConstructor,
} from "#client/translation/browser/built-in-ai.ts";
import { createLanguageCalls, type LanguageEngine } from "#client/translation/language-calls.ts";
import { NoTranslatorError, SiteError } from "#client/translation/translator-list.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

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

function setUp(
  scope: BuiltInAi,
  engines: LanguageEngine[] = ["browser"],
  summarizeByServer: SessionApi["summarize"] = async function* () {
    yield "server summary";
  },
  translateByServer: SessionApi["translate"] = async ({ text }) => `server: ${text}`,
) {
  const clock = new ManualClock(0);
  const server = {
    translate: translateByServer,
    summarize: summarizeByServer,
    generateContext: async () => ({ context: "server context", title: null }),
  } satisfies Partial<SessionApi> as unknown as SessionApi;
  const browser =
    scope.Translator &&
    new BrowserTranslators(scope.Translator, { clock, log, mayDownload: () => true });
  const calls = createLanguageCalls({
    server,
    clock,
    log,
    browser,
    device: {
      name: "device",
      getState: () => "ready",
      translate: async ({ text }) => `device: ${text}`,
    },
    summarizer: scope.Summarizer,
    listEngines: async () => engines,
  });
  const translate = (text: string, targetLanguage: "zh-cn" | "de" = "zh-cn") =>
    calls.translate(
      { text, sourceLanguage: "en", targetLanguage, context: "", wordContext: "" },
      signal,
    );
  const summarize = async (
    original: string,
    targetLanguage: "none" | "ar" = "none",
    marked: MarkedSentence[] = [],
    spokenIn: SpokenLanguage[] = ["en"],
    isTwoWay = false,
    template: SummaryTemplate = "lecture",
  ) => {
    const languages = { sourceLanguage: spokenIn[0] ?? "en", targetLanguage, isTwoWay };
    const input = { marked, lectureId: "l1", template, languages, spokenIn, original };
    return await joinPieces(calls.summarize(input, signal));
  };
  return { calls, clock, browser, translate, summarize };
}

async function joinPieces(pieces: AsyncIterable<string | null>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text = piece === null ? "" : text + piece;
  return text;
}

describe("translation", () => {
  it("is by the first engine, in each language once it is ready", async () => {
    const { clock, translate } = setUp({ Translator: createTranslator("available") });
    await expect(translate("Hello")).rejects.toEqual(new ApiError("unavailable", true));
    await clock.advance(10);
    expect(await translate("Hello")).toBe("zh: Hello");
    await expect(translate("Hello", "de")).rejects.toEqual(new ApiError("unavailable", true));
    await clock.advance(10);
    expect(await translate("Hello", "de")).toBe("de: Hello");
  });

  it("is by the site's model while this browser's translator is being downloaded", async () => {
    const { clock, translate } = setUp(
      { Translator: createTranslator("downloadable", () => new Promise(() => {})) },
      ["browser", "service"],
    );
    expect(await translate("Hello")).toBe("server: Hello");
    await clock.advance(60_000);
    expect(await translate("Hello")).toBe("server: Hello");
  });

  it("is by the next engine for a sentence that one cannot translate", async () => {
    const { clock, browser, translate } = setUp(
      {
        Translator: createTranslator("available", async () => ({
          translate: async (text) => {
            if (text === "bad") throw new Error("no");
            return `zh: ${text}`;
          },
        })),
      },
      ["browser", "service"],
    );
    void browser?.prepare({ sourceLanguage: "en", targetLanguage: "zh-cn" });
    await clock.advance(10);
    expect(await translate("bad")).toBe("server: bad");
    expect(await translate("good")).toBe("zh: good");
  });

  describe.each<[string, () => ApiError, string]>([
    [
      "a database that hangs",
      () => new ApiError("unavailable", true, { retryAfterSeconds: 2 }),
      "SiteError",
    ],
    ["a fault of the server", () => new ApiError("internal", true), "SiteError"],
    ["a model that fails", () => new ApiError("llm_failed", true), "ApiError"],
    ["a used-up budget", () => new ApiError("model_budget_exhausted", true), "ApiError"],
  ])("of a site with %s", (_, createFailure, kind) => {
    const fail = async () => {
      throw createFailure();
    };
    const broken = createTranslator("available", async () => ({ translate: fail }));

    it.each<[LanguageEngine[]]>([
      [["service"]],
      [["service", "browser"]],
      [["browser", "service"]],
    ])("says what is wrong, with %j", async (engines) => {
      const { clock, browser, translate } = setUp({ Translator: broken }, engines, undefined, fail);
      void browser?.prepare({ sourceLanguage: "en", targetLanguage: "zh-cn" });
      await clock.advance(10);
      const failure = await translate("Hello").catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure instanceof SiteError ? "SiteError" : "ApiError").toBe(kind);
    });
  });

  it("uses no engine that is not listed", async () => {
    await expect(setUp({}, ["browser"]).translate("Hello")).rejects.toThrow(NoTranslatorError);
    const { clock, translate } = setUp({ Translator: createTranslator("unavailable") }, [
      "browser",
    ]);
    await translate("Hello").catch(() => {});
    await clock.advance(10);
    await expect(translate("Hello")).rejects.toThrow(NoTranslatorError);
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
    const original = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");
    const summary = await setUp(createSummarizer(100, inputs)).summarize(original);
    expect(summary).toMatch(/^- /);
    expect(inputs.length).toBeGreaterThan(10);
    expect(Math.max(...inputs.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const parts = inputs.filter((text) => text.startsWith("word")).join(" ");
    expect(parts).toBe(original);
  });

  it("is in the lecture's languages, and a long text without spaces has parts too", async () => {
    const options: string[] = [];
    const inputs: string[] = [];
    const Summarizer: SummarizerConstructor = {
      availability: async () => "available",
      create: async ({ expectedInputLanguages, outputLanguage }) => {
        options.push(`${expectedInputLanguages.join(" ")}: ${outputLanguage}`);
        return {
          inputQuota: 100,
          measureInputUsage: async (text) => text.length,
          summarize: async (text) => {
            inputs.push(text);
            return `${outputLanguage} ${inputs.length}`;
          },
          destroy() {},
        };
      },
    };
    const { summarize } = setUp({ Summarizer });
    expect(await summarize("熱は動く。", "none", [], ["ja"])).toBe("ja 1");
    expect(await summarize("熱は動く。", "ar", [], ["ja", "ar"], true)).toBe(
      "# 日本語\n\nja 2\n\n# العربية\n\nar 3",
    );
    expect(options).toEqual(["ja: ja", "ja ar: ja", "ja ar: ar"]);
    inputs.length = 0;
    await summarize("熱は動く。".repeat(50), "none", [], ["ja"]);
    const parts = inputs.filter((text) => text.startsWith("熱"));
    expect(parts.join("")).toBe("熱は動く。".repeat(50));
    for (const { length } of parts) expect(length).toBeLessThanOrEqual(100);
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

  it("asks the server in a language that the engine does not write, and without an engine", async () => {
    const engines: LanguageEngine[] = ["browser", "service"];
    const { summarize } = setUp(createSummarizer(1_000), engines);
    expect(await summarize("Entropy.", "ar")).toBe("server summary");
    expect(await setUp({}, engines).summarize("Entropy grows.")).toBe("server summary");
  });

  it("asks the server for a summary by a template, which the engine would not follow", async () => {
    const meeting = (engines: LanguageEngine[]) =>
      setUp(createSummarizer(1_000), engines).summarize("A.", "none", [], ["en"], false, "meeting");
    expect(await meeting(["browser", "service"])).toBe("server summary");
    await expect(meeting(["browser"])).rejects.toThrow(NoTranslatorError);
  });

  describe("after the site's model", () => {
    const refuse = async function* () {
      yield "A summary in the wrong lang";
      throw new ApiError("llm_unusable", true);
    };
    const engines: LanguageEngine[] = ["service", "browser"];

    it("writes what the model's answer could not be used for, without a word of that answer", async () => {
      const { summarize } = setUp(createSummarizer(1_000), engines, refuse);
      expect(await summarize("Entropy grows.")).toBe("- Entro");
    });

    it("leaves the model's reason where it cannot write either", async () => {
      const unusable = { code: "llm_unusable" };
      const { summarize } = setUp(createSummarizer(1_000), engines, refuse);
      await expect(summarize("Entropy grows.", "ar")).rejects.toMatchObject(unusable);
      const alone = setUp({}, engines, refuse);
      await expect(alone.summarize("Entropy grows.")).rejects.toMatchObject(unusable);
    });

    it("is not asked while the model writes", async () => {
      const inputs: string[] = [];
      const { summarize } = setUp(createSummarizer(1_000, inputs), engines);
      expect(await summarize("Entropy grows.")).toBe("server summary");
      expect(inputs).toEqual([]);
    });
  });

  it("asks no server that has only a demo", async () => {
    const { summarize } = setUp(createSummarizer(1_000));
    await expect(summarize("Entropy.", "ar")).rejects.toThrow(ApiError);
    await expect(setUp({}).summarize("Entropy.")).rejects.toThrow(ApiError);
  });

  it("fails when the engine never answers", async () => {
    const { clock, summarize } = setUp({
      Summarizer: {
        availability: () => new Promise(() => {}),
        create: () => new Promise(() => {}),
      },
    });
    const failing = expect(summarize("Entropy.")).rejects.toThrow(ApiError);
    await clock.advance(10_000);
    await failing;
    expect(clock.timers).toBe(0);
  });
});

describe("a context", () => {
  const generate = (engines: LanguageEngine[]) =>
    setUp({}, engines).calls.generateContext({ lectureId: "lecture-1" }, signal);

  it("is the site's model's, also where another engine translates, and never its demo's", async () => {
    expect(await generate(["browser", "service"])).toMatchObject({ context: "server context" });
    await expect(generate(["browser", "device"])).rejects.toThrow(NoTranslatorError);
  });
});
