import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chooseTerms } from "#shared/choose-terms.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { speechTermsMax, speechTermsMaxBytes } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
/** Different words that are no forms of each other. */
const toWord = (n: number) =>
  `${letters[n % 26]}${letters[Math.floor(n / 26) % 26]}quortam${letters[(n * 7) % 26]}x`;

const toTerm = (position: number, over: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  id: `${position}`,
  folderId: "folder",
  language: "en",
  term: toWord(position),
  translations: {},
  note: "",
  origin: { kind: "file", name: "slides" },
  position,
  isLeftOut: false,
  ...over,
});
const slides = Array.from({ length: 60 }, (_, position) => toTerm(position));
const say = (...numbers: number[]) =>
  numbers.map((n) => ({ original: `Now the ${toWord(n)} follows.`, spokenIn: "en" as const }));
const english = { languages: ["en"], getTarget: () => "zh-cn" as const } as const;
const choose = (
  terms: readonly GlossaryTerm[],
  said: ReturnType<typeof say> = [],
  previous: ReturnType<typeof chooseTerms> = [],
) => chooseTerms({ terms, said, previous, ...english });
const names = (terms: readonly { term: string }[]) => terms.map(({ term }) => term);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => toWord(from + index));

test("begins with the first terms of the nearest folder's newest file", () => {
  const old = slides.slice(0, 20).map((one) => ({ ...one, origin: { kind: "file", name: "old" } }));
  const typed = toTerm(59, { origin: { kind: "person", name: "" } });
  const far = toTerm(58, { folderId: null, origin: { kind: "file", name: "far" } });
  const terms = [...old, ...slides.slice(20, 40), typed, far] as GlossaryTerm[];
  expect(names(choose(terms))).toEqual(range(20, 34));
  expect(names(choose(terms.slice(0, 20)))).toEqual(range(0, 14));
  expect(names(choose([typed, far]))).toEqual([toWord(59), toWord(58)]);
});

test("follows the slides, ahead of what was said last", () => {
  const chosen = names(choose(slides, say(28, 29, 30)));
  for (const word of range(28, 36)) expect(chosen).toContain(word);
  expect(chosen).toHaveLength(speechTermsMax);
  expect(chosen).not.toContain(toWord(0));
});

test("changes seldom: not for a term or two, nor without a reason", () => {
  const before = choose(slides, say(28, 29, 30));
  expect(choose(slides, say(28, 29, 30, 29), before)).toEqual(before);
  expect(choose(slides, say(28, 29, 30, 50), before)).not.toEqual(before);
});

test("takes the translation into what is spoken, and both languages where both are", () => {
  const terms = [toTerm(1, { term: "entropy", translations: { "zh-cn": "熵" } })];
  const getTarget = (spokenIn: string) => (spokenIn === "zh" ? "en" : "zh-cn");
  const both = { term: "entropy", translation: "熵" };
  const reverse = { term: "熵", translation: "entropy" };
  const chooseFor = (languages: ("en" | "zh" | "ja")[]) =>
    chooseTerms({ terms, languages, getTarget, said: [], previous: [] });
  expect(chooseFor(["en"])).toEqual([both]);
  expect(chooseFor(["zh"])).toEqual([reverse]);
  expect(chooseFor(["en", "zh"])).toEqual([both, reverse]);
  expect(chooseFor(["ja"])).toEqual([]);
  expect(chooseFor([])).toEqual([both]);
});

const languages = ["en", "de", "zh"] as const;
const term = fc.record({
  language: fc.constantFrom(...languages),
  term: fc.oneof(fc.nat(40).map(toWord), fc.string({ maxLength: 120 }), fc.constant("熵")),
  translations: fc.record(
    { "zh-cn": fc.string({ maxLength: 200 }), en: fc.nat(40).map(toWord) },
    { requiredKeys: [] },
  ),
  folderId: fc.constantFrom("near", "far", null),
  origin: fc.record({
    kind: fc.constantFrom("file" as const, "person" as const),
    name: fc.constantFrom("a", "b"),
  }),
});

test("has at most so many terms, only given ones in a spoken language, each once, and is stable", () => {
  fc.assert(
    fc.property(
      fc.array(term, { maxLength: 60 }),
      fc.subarray([...languages]),
      fc.array(fc.nat(40), { maxLength: 30 }),
      fc.nat(20),
      (list, spoken, numbers, max) => {
        const terms = list.map((one, position) => toTerm(position, one));
        const getTarget = (spokenIn: string) => (spokenIn === "zh" ? "en" : "zh-cn");
        const situation = {
          terms,
          languages: spoken,
          getTarget,
          said: say(...numbers),
          max,
        } as const;
        const chosen = chooseTerms({ ...situation, previous: [] });
        expect(chosen.length).toBeLessThanOrEqual(max);
        const keys = chosen.map((one) => one.term.normalize("NFKC").trim().toLowerCase());
        expect(new Set(keys).size).toBe(chosen.length);
        const isSpoken = (language: string) =>
          spoken.length === 0 || spoken.some((one) => one === language);
        const given = terms.flatMap((one) => [
          ...(isSpoken(one.language) ? [one.term] : []),
          ...(isSpoken("zh") && spoken.length > 0 ? [one.translations["zh-cn"]] : []),
          ...(isSpoken("en") && spoken.length > 0 ? [one.translations.en] : []),
        ]);
        for (const one of chosen) expect(given).toContain(one.term);
        expect(new TextEncoder().encode(JSON.stringify(chosen)).length).toBeLessThan(
          speechTermsMaxBytes + 100,
        );
        expect(chooseTerms({ ...situation, previous: chosen })).toEqual(chosen);
      },
    ),
    { numRuns: countRuns(400) },
  );
});

test("reads a list of terms once, not for each choice", () => {
  let reads = 0;
  const terms = slides.map((slide) =>
    Object.defineProperty({ ...slide }, "term", {
      get: () => {
        reads += 1;
        return slide.term;
      },
    }),
  );
  const first = choose(terms, say(5));
  const once = reads;
  expect(names(choose(terms, say(5, 6, 30), first))).toContain(toWord(31));
  expect(reads).toBe(once);
});
