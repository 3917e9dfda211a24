import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createRows,
  createSentences,
  type HeardWords,
  replaceRows,
  splitRows,
  toEntry,
} from "#client/realtime/again/replace-rows.ts";
import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { RelayToken } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const languages = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false } as const;

const row = (position: number, over: Partial<TranscriptRow> = {}): TranscriptRow => ({
  position,
  original: `Row ${position}.`,
  spokenIn: "en",
  translated: `Zeile ${position}.`,
  translation: "done",
  translatedInto: "de",
  translatedByHand: false,
  speaker: null,
  startMs: position * 1_000,
  endMs: position * 1_000 + 900,
  revision: 1,
  ...over,
});

/** Word `n` is said in the `n`th half second; every fourth ends a sentence. */
const word = (n: number, over: Partial<RelayToken> = {}): RelayToken => ({
  text: ` w${n}${n % 4 === 3 ? "." : ""}`,
  is_final: true,
  start_ms: n * 500,
  end_ms: n * 500 + 400,
  ...over,
});

const say = (tokens: RelayToken[], endpoint = false): HeardWords => ({
  kind: "words",
  batch: {
    type: "tokens",
    tokens,
    audio_final_proc_ms: tokens.at(-1)?.end_ms ?? 0,
    audio_total_proc_ms: tokens.at(-1)?.end_ms ?? 0,
    ...(endpoint && { endpoint }),
  },
  languages: { language: "en", secondLanguage: null },
  diarization: true,
});

const readWords = (text: string) => text.match(/w\d+/g) ?? [];

const middle = ({ startMs, endMs }: { startMs: number; endMs: number }) => (startMs + endMs) / 2;

test("corrected rows stay, and everything else that was said is there once, in the order of the clock", () => {
  const rows = fc.array(
    fc.record({
      isCorrected: fc.boolean(),
      isTranslationCorrected: fc.boolean(),
      lengthMs: fc.integer({ min: 50, max: 1_000 }),
      revision: fc.nat(9),
    }),
    { maxLength: 30 },
  );
  const sound = fc.tuple(fc.nat(20_000), fc.integer({ min: 1_000, max: 30_000 }));
  const batches = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(rows, sound, batches, (specified, [startMs, lengthMs], sizes) => {
      const before = specified.map(({ isCorrected, isTranslationCorrected, ...one }, at) =>
        row(at, {
          originalByHand: isCorrected,
          translatedByHand: isTranslationCorrected,
          endMs: at * 1_000 + one.lengthMs,
          revision: one.revision,
        }),
      );
      const span = { startMs, endMs: startMs + lengthMs };
      const all = Array.from({ length: 100 }, (_, n) => word(n)).filter(
        (token) => (token.start_ms ?? 0) >= span.startMs && (token.end_ms ?? 0) <= span.endMs,
      );
      const heard = sizes.map((size, at) => {
        const from = sizes.slice(0, at).reduce((sum, one) => sum + one, 0);
        return say(all.slice(from, from + size), at % 3 === 0);
      });
      const said = heard.flatMap((part) => (part.kind === "words" ? part.batch.tokens : []));
      const { kept, replaced } = splitRows(before, [span]);
      const added = createRows(createSentences(heard, kept), replaced, languages);
      const after = replaceRows(before, [span], added, languages);

      // What stays is the same to the letter.
      for (const one of kept) expect(after).toContainEqual(toEntry(one, languages));
      for (const one of before)
        if (one.originalByHand || one.translatedByHand) expect(kept).toContain(one);
      const isOutside = (one: TranscriptRow) =>
        middle(one) < span.startMs || middle(one) >= span.endMs;
      for (const one of before) if (isOutside(one)) expect(kept).toContain(one);
      // Nothing else of before is left.
      const texts = new Set(after.map(({ original }) => original));
      for (const one of replaced) expect(texts).not.toContain(one.original);
      // Each word outside the kept rows is there once, and no other word.
      const isCovered = (token: RelayToken) => {
        const at = middle({ startMs: token.start_ms ?? 0, endMs: token.end_ms ?? 0 });
        return kept.some((one) => one.startMs <= at && at < one.endMs);
      };
      const expected = said
        .filter((token) => !isCovered(token))
        .flatMap(({ text }) => readWords(text));
      expect(after.flatMap(({ original }) => readWords(original))).toEqual(expected);
      const starts = after.map(({ startMs: at }) => at);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      const newest = Math.max(0, ...before.map(({ revision }) => revision));
      const keptTexts = new Set(kept.map(({ original }) => original));
      for (const one of after)
        if (!keptTexts.has(one.original)) expect(one.revision).toBeGreaterThan(newest);
    }),
    { numRuns: countRuns(300) },
  );
});

test("undoing brings back the rows from before, but for what was corrected since", () => {
  const before = [row(0), row(1, { originalByHand: true }), row(2), row(3)];
  const spans = [{ startMs: 0, endMs: 4_000 }];
  const { kept, replaced } = splitRows(before, spans);
  const heard = [say([0, 1, 4, 5, 6, 7].map((n) => word(n)))];
  const after = replaceRows(
    before,
    spans,
    createRows(createSentences(heard, kept), replaced, languages),
    languages,
  ).map((entry, position) => row(position, { ...entry, translation: "done" }));
  expect(after.map(({ original }) => original)).toEqual(["w0 w1", "Row 1.", "w4 w5 w6 w7."]);
  const old = replaced.map((one) => toEntry(one, languages));
  const undone = replaceRows(after, spans, old, languages);
  expect(undone.map(({ original, translated }) => [original, translated])).toEqual(
    before.map(({ original, translated }) => [original, translated]),
  );
  const corrected = after.with(2, { ...row(2), ...after[2], originalByHand: true });
  const partly = replaceRows(corrected, spans, old, languages);
  expect(partly.map(({ original }) => original)).toEqual(["Row 0.", "Row 1.", "w4 w5 w6 w7."]);
});

describe("a row that was recognised again", () => {
  const replaced = [
    row(0, { speaker: "2", original: "w0 w1 w2 w3." }),
    row(2, { speaker: "1", translated: "", translation: "waiting" }),
  ];
  const tokens = [0, 1, 2, 3].map((n) => word(n, { speaker: "1" }));
  const others = [4, 5, 6, 7].map((n) => word(n, { speaker: "2" }));
  const rows = createRows(createSentences([say([...tokens, ...others])], []), replaced, languages);

  test("keeps its translation if its words are the same, and otherwise waits for one", () => {
    expect(rows.map(({ translated }) => translated)).toEqual(["Zeile 0.", ""]);
    expect(rows.map(({ translatedInto }) => translatedInto)).toEqual(["de", "de"]);
  });

  test("keeps the label of its speaker", () => {
    expect(rows.map(({ speaker }) => speaker)).toEqual(["2", "1"]);
  });

  test("is not translated if its language is the one that is translated into", () => {
    const german = createRows(
      createSentences([say([word(0, { language: "de" }), word(3, { language: "de" })])], []),
      replaced,
      { ...languages, sourceLanguage: "detect" },
    );
    expect(german).toMatchObject([{ spokenIn: "de", translated: "", translatedInto: null }]);
  });
});
