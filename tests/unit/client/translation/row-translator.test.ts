import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { RowTranslator } from "#client/translation/row-translator.ts";
import { NoTranslatorError, SiteError } from "#client/translation/translator-list.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  sourceLanguages,
  spokenLanguages,
  type TranslationLanguage,
  targetLanguages,
} from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** Rows that were spoken in `languages`, and a translator that answers with the direction. */
function setUp(...languages: readonly SpokenLanguage[]) {
  const clock = new ManualClock();
  const transcript = new Transcript();
  const calls: string[] = [];
  const saved: string[] = [];
  const failure: { error: Error | null } = { error: null };
  const translator = new RowTranslator({
    transcript,
    clock,
    log: { warn() {} },
    wordContext: () => "",
    onFailed() {},
    onRowChange: (id) => saved.push(id),
    translate: async ({ text, sourceLanguage, targetLanguage }) => {
      calls.push(`${text} ${sourceLanguage}>${targetLanguage}`);
      if (failure.error !== null) throw failure.error;
      if (text === "fails") throw new Error("no translation");
      return `${targetLanguage}: ${text}`;
    },
  });
  transcript.append(
    languages.map((spokenIn, index) => ({
      id: `${index}`,
      ordinal: index,
      original: `${index}`,
      originalByHand: false,
      spokenIn,
      translated: "",
      translatedInto: null,
      translation: "waiting",
      translatedByHand: false,
      speaker: null,
      startMs: index,
      endMs: index + 1,
    })),
  );
  const listTexts = () => transcript.rows().map(({ translated }) => translated);
  const retranslate = async (languages: LanguagePair) => {
    translator.retranslate(languages);
    await clock.advance(100);
  };
  return { clock, transcript, translator, calls, saved, failure, listTexts, retranslate };
}
const toGerman: LanguagePair = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false };

describe("why translations are missing", () => {
  it.each<[string, ApiError]>([
    ["site", new SiteError(new ApiError("unavailable", true))],
    ["none", new NoTranslatorError()],
    ["unavailable", new ApiError("unavailable", true)],
  ])("is %s, until they come", async (reason, error) => {
    const { clock, transcript, translator, failure, listTexts } = setUp("en");
    const placeholder = { language: "de", text: "" } as const;
    transcript.change("0", { placeholder });
    failure.error = error;
    translator.request("0", "de");
    await clock.advance(16_000);
    expect(translator.missing.get()?.reason).toBe(reason);
    failure.error = null;
    await clock.advance(31_000);
    expect(translator.missing.get()).toBeNull();
    expect(listTexts()).toEqual(["de: 0"]);
  });
});

describe("rows in several languages", () => {
  it("are translated again, but those in the language itself, which keep what they have", async () => {
    const { transcript, calls, saved, listTexts, retranslate } = setUp("en", "de", "ja", "de");
    transcript.change("1", { translated: "Hi.", translation: "done", translatedInto: "en" });
    await retranslate(toGerman);
    expect(calls).toEqual(["0 en>de", "2 ja>de"]);
    expect(listTexts()).toEqual(["de: 0", "Hi.", "de: 2", ""]);
    expect(transcript.rows().map(({ translation }) => translation)).toEqual([
      "done",
      "done",
      "done",
      "none",
    ]);
    expect(saved.sort()).toEqual(["0", "2", "3"]);
  });

  it("are translated into the other language where two are spoken", async () => {
    const { calls, listTexts, retranslate } = setUp("en", "de", "fr");
    await retranslate({ ...toGerman, isTwoWay: true });
    expect(calls).toEqual(["0 en>de", "1 de>en", "2 fr>de"]);
    await retranslate({ ...toGerman, targetLanguage: "fr", isTwoWay: true });
    expect(calls.slice(3)).toEqual(["0 en>fr", "1 de>fr", "2 fr>en"]);
    expect(listTexts()).toEqual(["fr: 0", "fr: 1", "en: 2"]);
  });

  it("are corrected and tried again into their own translation's language", async () => {
    const { clock, transcript, translator, calls, retranslate } = setUp("de", "fr");
    await retranslate({ ...toGerman, isTwoWay: true });
    translator.correct("0", { original: "Hallo" }, "en");
    await clock.advance(100);
    transcript.change("1", { translated: "[Translation Failed]", translation: "failed" });
    translator.retry("1", "de");
    await clock.advance(100);
    expect(calls.slice(2)).toEqual(["Hallo de>en", "1 fr>de"]);
  });

  it("are translated in their corrected words, also in place of a person's translation", async () => {
    const { clock, transcript, translator, calls } = setUp("en");
    translator.correct("0", { translated: "Zero" }, "fr");
    translator.retranslate(toGerman);
    translator.correct("0", { original: "One" }, "de");
    await clock.advance(100);
    expect(calls.at(-1)).toBe("One en>de");
    expect(transcript.row(0)).toMatchObject({ original: "One", translated: "de: One" });
  });

  it("are corrected into the language that they have now, not into one that has failed before", async () => {
    const { clock, transcript, translator, calls } = setUp("en");
    transcript.change("0", { original: "fails" });
    translator.request("0", "fr");
    await clock.advance(100);
    expect(transcript.row(0)?.translation).toBe("failed");
    // As after a second pass in another language.
    transcript.change("0", { translated: "Null", translation: "done", translatedInto: "de" });
    translator.correct("0", { original: "Zero" }, "de");
    await clock.advance(100);
    expect(calls.at(-1)).toBe("Zero en>de");
  });

  it("are not translated after a correction where they have no translation", async () => {
    const { clock, transcript, translator, calls } = setUp("de");
    translator.request("0", "de");
    expect(transcript.row(0)).toMatchObject({ translation: "none" });
    translator.correct("0", { original: "Hallo" }, "none");
    await clock.advance(100);
    expect(calls).toEqual([]);
    expect(transcript.row(0)).toMatchObject({ original: "Hallo", translation: "none" });
    expect(translator.missing.get()).toBeNull();
  });

  it("are each translated once into what the pair says, and never into their own", async () => {
    const pair = fc.record({
      sourceLanguage: fc.constantFrom(...sourceLanguages),
      targetLanguage: fc.constantFrom(...targetLanguages.filter((target) => target !== "none")),
      isTwoWay: fc.boolean(),
    });
    const spoken = fc.array(fc.constantFrom(...spokenLanguages), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pair, spoken, fc.boolean(), async (languages, spokenIn, isLive) => {
        // Both languages of the pair are among them.
        const own = [languages.sourceLanguage, languages.targetLanguage].flatMap((language) =>
          language === "detect" ? [] : [language === "zh-cn" ? "zh" : language],
        );
        const rows = [...spokenIn, ...own];
        const { clock, transcript, translator, calls, retranslate } = setUp(...rows);
        const into = (language: SpokenLanguage) => getTranslationLanguage(languages, language);
        if (isLive) {
          for (const [position, language] of rows.entries())
            translator.request(`${position}`, into(language) ?? "none");
          await clock.advance(100);
        } else await retranslate(languages);
        expect(calls.toSorted()).toEqual(
          rows
            .flatMap((language, at) =>
              into(language) ? [`${at} ${language}>${into(language)}`] : [],
            )
            .sort(),
        );
        for (const [position, language] of rows.entries())
          expect(transcript.row(position)).toMatchObject({
            translatedInto: into(language),
            translation: into(language) === null ? "none" : "done",
          });
        for (const call of calls) {
          const [, source, target] = /(\S+)>(\S+)$/.exec(call) ?? [];
          const written: Partial<Record<string, TranslationLanguage>> = { zh: "zh-cn" };
          expect(target).not.toBe(written[source ?? ""] ?? source);
        }
        translator.dispose();
      }),
      { numRuns: countRuns(200) },
    );
  });
});
