import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTerms, findWithIndex } from "#shared/find-terms.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { glossaryTermsMax, termMaxLength, termTranslationMaxLength } from "#shared/limits.ts";
import { finish, sliceSteps } from "#shared/slices.ts";
import { indexSizeMax, TermIndex } from "#shared/term-index.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const times = <T>(count: number, create: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => create(n));
const createIndex = (terms: readonly string[], language: SpokenLanguage) =>
  new TermIndex(
    terms.map((source) => ({ source, target: `<${source}>` })),
    language,
  );

/** "funcion" with other accents each time: one word without them. */
const accented = (n: number) =>
  [..."funcion"]
    .map(
      (letter, at) =>
        `${letter}${(n >> at) & 1 ? "\u0301" : ""}${(n >> (at + 7)) & 1 ? "\u0323" : ""}`,
    )
    .join("")
    .normalize("NFC");
const bits = (n: number, length: number, [zero, one]: readonly [string, string]) =>
  times(length, (at) => ((n >> at) & 1 ? one : zero)).join(" ");
const numbered = times(glossaryTermsMax + 40, (n) => n.toString(36));
const phrase = "a b c d e f g h ";
const textLength = 40_000;
const fill = (text: string) => text.repeat(textLength / text.length + 1).slice(0, textLength);

/** Glossaries and texts that are made to take long. */
const attacks: [name: string, SpokenLanguage, terms: string[], text: string][] = [
  ["terms with one beginning", "en", times(glossaryTermsMax, (n) => `${phrase}${n}`), fill(phrase)],
  [
    "terms with one beginning, of which one occurs",
    "en",
    times(glossaryTermsMax, (n) => `${phrase}${n}`),
    fill(`${phrase}77 `),
  ],
  [
    "terms that are the beginning and the end of one another",
    "en",
    times(termMaxLength / 2, (n) => times(n + 1, () => "a").join(" ")),
    fill("a "),
  ],
  ["the same in Chinese", "zh", times(termMaxLength, (n) => "一".repeat(n + 1)), fill("一")],
  ["the same in katakana", "ja", times(termMaxLength, (n) => "ア".repeat(n + 1)), fill("ア")],
  [
    "a term at every word of the text",
    "nl",
    times(glossaryTermsMax, (n) => numbered.slice(n, n + 20).join(" ")),
    fill(numbered.join(" ")),
  ],
  [
    "words that are one without accents",
    "es",
    times(glossaryTermsMax, accented),
    fill(times(4_000, (n) => `${accented(3 * n)}es`).join(" ")),
  ],
  [
    "phrases of such words",
    "es",
    times(glossaryTermsMax, (n) => times(8, (at) => accented((n * (at + 1)) % 97)).join(" ")),
    fill(times(4_000, (n) => `${accented(3 * n)}es`).join(" ")),
  ],
  [
    "phrases of two words with one form",
    "en",
    times(2 ** 13, (n) => bits(n, 13, ["base", "basis"])),
    fill("bases "),
  ],
  [
    "phrases of one word in forms that change",
    "en",
    times(30, (n) => times(n + 1, () => "bar").join(" ")),
    fill(times(7_000, (n) => ((n * n) % 7 < 3 ? "bar" : "bars")).join(" ")),
  ],
  [
    "terms that differ in punctuation alone",
    "en",
    times(
      glossaryTermsMax,
      (n) => `a${[...n.toString(8)].map((digit) => "/.,;:!?("[Number(digit)]).join("")}b`,
    ),
    fill("a b "),
  ],
  ["a word without an end", "en", ["bar", `${"a".repeat(70)}e`], `${"a".repeat(textLength)}ed`],
  ["a gap without an end", "en", ["a b"], `a${" ".repeat(textLength)}b`],
  [
    "capitals in all combinations",
    "de",
    times(4_096, (n) =>
      [..."zellkernhaut"].map((one, at) => ((n >> at) & 1 ? one.toUpperCase() : one)).join(""),
    ),
    fill("Zellkernhäute "),
  ],
];

describe.each(attacks)("%s", (_, language, terms, text) => {
  it("are found in some steps for each letter, and in slices", () => {
    const index = createIndex(terms, language);
    const letters = terms.reduce((sum, { length }) => sum + length, 0);
    let [steps, slices, longest] = [0, 0, 0];
    const work = findWithIndex(text, index, 60);
    for (;;) {
      const before = index.steps;
      const { done } = work.next();
      longest = Math.max(longest, index.steps - before);
      steps += index.steps - before;
      if (done) break;
      slices += 1;
    }
    expect(steps).toBeLessThan(25 * (letters + text.length));
    expect(slices).toBeLessThan(2 + steps / sliceSteps);
    // One more word, or one more term.
    expect(longest).toBeLessThan(2 * sliceSteps + 60 * termTranslationMaxLength);
    // The second text needs no index.
    const before = index.steps;
    finish(findWithIndex(text, index, 60));
    expect(index.steps - before).toBeLessThan(25 * text.length);
    expect(index.size).toBeLessThan(indexSizeMax + 10 * termTranslationMaxLength);
  });
});

it("finds the right terms in such texts", () => {
  const find = (name: string) => {
    const attack = attacks.find(([one]) => one === name);
    if (!attack) throw new Error(name);
    const [, language, terms, text] = attack;
    const pairs = terms.map((source) => ({ source, target: "" }));
    return findTerms(text, pairs, language, 60).map(({ source }) => source);
  };
  expect(find("terms with one beginning, of which one occurs")).toEqual([`${phrase}77`]);
  expect(find("a term at every word of the text")).toEqual(
    times(60, (n) => numbered.slice(20 * n, 20 * n + 20).join(" ")),
  );
  expect(find("the same in katakana")).toEqual([]);
});

it("takes a bounded number of steps for each letter of any text", () => {
  const word = fc.constantFrom("base", "basis", "bases", "bar", "bars", "a", "B", "IT", "it", "12");
  const words = (maxLength: number) =>
    fc.array(fc.tuple(word, fc.constantFrom(" ", " ", "-", "/", ", ")), { maxLength });
  const join = (parts: [string, string][]) => parts.flat().join("");
  fc.assert(
    fc.property(fc.array(words(12), { maxLength: 200 }), words(400), (terms, text) => {
      const index = createIndex(terms.map(join), "en");
      finish(index.build());
      const before = index.steps;
      finish(findWithIndex(join(text), index));
      expect(index.steps - before).toBeLessThanOrEqual(100 + 100 * join(text).length);
    }),
    { numRuns: countRuns(300) },
  );
});

it("is built once by several callers who take turns", () => {
  const terms = times(3_000, (n) => `${n.toString(36)} x`);
  const alone = createIndex(terms, "en");
  finish(alone.build());
  const index = createIndex(terms, "en");
  const works = times(5, () => findWithIndex("2bc x and 9 x", index));
  const found = new Map<number, string[]>();
  while (found.size < works.length)
    for (const [at, work] of works.entries()) {
      const { done, value } = work.next();
      if (done && value)
        found.set(
          at,
          value.map(({ source }) => source),
        );
    }
  for (const sources of found.values()) expect(sources).toEqual(["9 x"]);
  expect(index.steps).toBeLessThan(alone.steps + 2_000);
  expect(index.size).toBe(alone.size);
});

it("leaves out the last terms of a glossary that is made to be large", () => {
  const terms = times(2 * glossaryTermsMax, (n) =>
    times(20, (at) => (20 * n + at).toString(36)).join(" "),
  );
  const index = createIndex(terms, "nl");
  finish(index.build());
  expect(index.size).toBeLessThan(indexSizeMax + 1_000);
  const find = (n: number) => finish(findWithIndex(terms[n] ?? "", index)).length;
  expect([find(0), find(1_000), find(2 * glossaryTermsMax - 1)]).toEqual([1, 1, 0]);
});

it("has room for a large glossary that is used", () => {
  const endings = ["ation", "ing", "ed", "or", "s"];
  const words = times(8_000, (n) => `w${n.toString(36).replaceAll(/\d/g, "q")}${endings[n % 5]}`);
  const terms = times(glossaryTermsMax, (n) =>
    times(3, (at) => words[(n * (7 * at + 1)) % 8_000]).join(" "),
  );
  const index = createIndex(terms, "en");
  finish(index.build());
  expect(index.size).toBeLessThan(indexSizeMax / 2);
});

it("finds the same before and after it has forgotten its states", () => {
  const terms = times(300, (n) => `${n.toString(36)} bar`);
  const index = createIndex(terms, "en");
  const find = (text: string) => finish(findWithIndex(text, index)).map(({ source }) => source);
  const first = find("7 bars and 8 bar");
  for (let round = 0; round < 5; round += 1) find(times(10_000, (n) => `x${round}y${n}`).join(" "));
  expect(find("7 bars and 8 bar")).toEqual(first);
  expect(first).toEqual(["7 bar", "8 bar"]);
});
