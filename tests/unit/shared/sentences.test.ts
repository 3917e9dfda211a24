import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addTokens,
  createPending,
  endSentence,
  type Sentence,
} from "#client/lecture/rows/segmentation.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { findSentences } from "#shared/sentences.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import {
  joinSentences,
  readSpokenSentences,
  testLanguages,
} from "#tests/fixtures/spoken-sentences.ts";

const leastScore = 0.98;
/** `text` in pieces that end before the characters at `cuts`. */
function cutText(text: string, cuts: readonly number[]): string[] {
  const characters = Array.from(text);
  const places = [...new Set(cuts.map((cut) => cut % characters.length))].sort((a, b) => a - b);
  return [0, ...places].map((place, n) => characters.slice(place, places[n]).join(""));
}

/** The ends of rows in `text` that arrives in `pieces`. */
function listRowEnds(text: string, pieces: readonly string[], language: SpokenLanguage): number[] {
  let pending = createPending(0, language);
  const sentences: Sentence[] = [];
  for (const piece of pieces) {
    const added = addTokens(pending, [{ text: piece, is_final: true }], {
      finalMs: 0,
      endpoint: false,
      diarization: false,
      interim: "",
    });
    sentences.push(...added.sentences);
    pending = added.pending;
  }
  sentences.push(...endSentence(pending).sentences);
  let from = 0;
  return sentences.map(({ original }) => {
    from = text.indexOf(original, from) + original.length;
    return from;
  });
}

function score(found: readonly number[], expected: readonly number[]) {
  const right = found.filter((end) => expected.includes(end)).length;
  const [precision, recall] = [right / found.length, right / expected.length];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function print(name: string, found: readonly number[], expected: readonly number[], text: string) {
  const { precision, recall, f1 } = score(found, expected);
  const [p, r, f] = [precision, recall, f1].map((value) => value.toFixed(3));
  const wrong = [
    ...found.filter((end) => !expected.includes(end)).map((end) => ["not", end] as const),
    ...expected.filter((end) => !found.includes(end)).map((end) => ["missed", end] as const),
  ].map(
    ([kind, end]) =>
      `${kind}: ${text.slice(Math.max(0, end - 20), end)}|${text.slice(end, end + 12)}`,
  );
  process.stdout.write(
    `${name}: ${expected.length} boundaries, precision ${p}, recall ${r}, F1 ${f} ${wrong.join("; ")}\n`,
  );
  return f1;
}

const cuts = fc.array(fc.nat({ max: 100_000 }), { maxLength: 800, size: "max" });

describe.each(testLanguages)("sentences in %s", (language) => {
  const { sentences } = readSpokenSentences(language);
  const { text, ends } = joinSentences(sentences, language);

  test("of a whole text are found", () => {
    expect(sentences.length).toBeGreaterThanOrEqual(40);
    const found = findSentences(text, language)
      .map(({ to }) => to)
      .slice(0, -1);
    expect(print(`${language}, whole`, found, ends, text)).toBeGreaterThanOrEqual(leastScore);
  });

  test("of tokens are found, however the text is divided", () => {
    const whole = findSentences(text, language).map(({ to }) => to);
    fc.assert(
      fc.property(cuts, (places) => {
        expect(listRowEnds(text, cutText(text, places), language)).toEqual(whole);
      }),
      { numRuns: countRuns(80) },
    );
    const found = listRowEnds(text, Array.from(text), language).slice(0, -1);
    expect(print(`${language}, tokens`, found, ends, text)).toBeGreaterThanOrEqual(leastScore);
  });
});

/** Text with much that rules look at. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."。」』）”.?!…؟। «»„“‚‘’\"'(3Aaあ漢가कع—-",
        "...",
        "z. B. ",
        "Dr. ",
        "usw. ",
        "と",
        "他说",
      ),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join("").replaceAll("\0", ""));

test.each(testLanguages)(
  "in %s, the division of any text into tokens changes no row",
  (language) => {
    fc.assert(
      fc.property(anyText, cuts, (text, places) => {
        fc.pre(text !== "");
        const rows = (pieces: string[]) => listRowEnds(text, pieces, language);
        expect(rows(cutText(text, places))).toEqual(rows([text]));
        expect(rows(Array.from(text))).toEqual(rows([text]));
      }),
      { numRuns: countRuns(400) },
    );
  },
);

test("a Greek question ends with a semicolon", () => {
  const text = "Τι είναι η εντροπία; Είναι ένα μέτρο· «Γιατί;» ρώτησε κάποιος. Γιατί; Θα δούμε.";
  const sentences = findSentences(text, "el").map(({ from, to }) => text.slice(from, to));
  expect(sentences).toEqual([
    "Τι είναι η εντροπία;",
    "Είναι ένα μέτρο· «Γιατί;» ρώτησε κάποιος.",
    "Γιατί;",
    "Θα δούμε.",
  ]);
  expect(listRowEnds(text, Array.from(text), "el")).toHaveLength(4);
  expect(findSentences("Licht; Schatten; Farbe.", "de")).toHaveLength(1);
});
