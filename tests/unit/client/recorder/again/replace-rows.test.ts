import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planReplacement } from "#client/recorder/again/plan-rows.ts";
import {
  createRows,
  createSentences,
  type HeardWords,
  splitRows,
} from "#client/recorder/again/replace-rows.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { RelayToken } from "#shared/relay.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const languages = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false } as const;
const options = { languages, newId: () => crypto.randomUUID() };

const row = (number: number, over: Partial<TranscriptEntry> = {}): TranscriptEntry =>
  createEntry(`Row ${number}.`, number * 1_000, {
    id: `${number}`,
    seq: 1,
    ordinal: number,
    translated: `Zeile ${number}.`,
    translatedInto: "de",
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
      const added = createRows(createSentences(heard, kept), replaced, { ...options, ordinal: 0 });
      fc.pre(added.length > 0 || replaced.length === 0);
      const { entries, deleted } = planReplacement(heard, [span], options)(before);
      const deletedIds = new Set(deleted.map(({ id }) => id));
      const after = [...before.filter(({ id }) => !deletedIds.has(id)), ...entries].sort(
        (a, b) => a.startMs - b.startMs,
      );

      // What stays is not touched.
      for (const one of kept) expect(after).toContain(one);
      for (const one of before)
        if (one.originalByHand || one.translatedByHand) expect(kept).toContain(one);
      const isOutside = (one: TranscriptEntry) =>
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
      // Numbers of their own.
      expect(new Set(after.map(({ ordinal }) => ordinal)).size).toBe(after.length);
      expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    }),
    { numRuns: countRuns(300) },
  );
});

test("undoing brings back the rows from before, but for those that a corrected one has replaced", () => {
  const before = [row(0), row(1, { originalByHand: true }), row(2), row(3)];
  const heard = [say([0, 1, 4, 5, 6, 7].map((n) => word(n)))];
  const { entries, deleted, undo } = planReplacement(
    heard,
    [{ startMs: 0, endMs: 4_000 }],
    options,
  )(before);
  expect(entries.map(({ original }) => original)).toEqual(["w0 w1", "w4 w5 w6 w7."]);
  expect(deleted.map(({ id }) => id)).toEqual(["0", "2", "3"]);
  const after = [...before.filter(({ id }) => id === "1"), ...entries];
  expect(undo(after, 2).entries).toEqual([0, 2, 3].map((number) => row(number, { seq: 2 })));
  const corrected = after.map((one) =>
    one.original === "w4 w5 w6 w7." ? { ...one, originalByHand: true } : one,
  );
  const partly = undo(corrected, 2);
  expect(partly.entries.map(({ id }) => id)).toEqual(["0"]);
  expect(partly.deleted.map(({ id }) => id)).toEqual([entries[0]?.id]);
});

describe("a row that was recognised again", () => {
  const replaced = [
    row(0, { speaker: "2", original: "w0 w1 w2 w3." }),
    row(2, { speaker: "1", translated: "" }),
  ];
  const tokens = [0, 1, 2, 3].map((n) => word(n, { speaker: "1" }));
  const others = [4, 5, 6, 7].map((n) => word(n, { speaker: "2" }));
  const rows = createRows(createSentences([say([...tokens, ...others])], []), replaced, {
    ...options,
    ordinal: 4,
  });

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
      { ...options, languages: { ...languages, sourceLanguage: "detect" }, ordinal: 0 },
    );
    expect(german).toMatchObject([{ spokenIn: "de", translated: "", translatedInto: null }]);
  });
});
