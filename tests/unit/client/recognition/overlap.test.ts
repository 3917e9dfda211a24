import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countOverlap,
  countRepeatedWords,
  RepeatFilter,
  removeOverlap,
} from "#client/recognition/overlap.ts";
import type { RelayToken } from "#shared/relay.ts";
import { listComparable, listUnits, toComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { joinSentences, readSpokenSentences } from "#tests/fixtures/spoken-sentences.ts";

const split = (text: string) => text.split(" ").filter((word) => word !== "");

it.each([
  ["the same words", "and so the law says", "the law says that heat flows", 3],
  ["a last word that was recognised differently", "so the law sets", "the law says that", 3],
  [
    "a word within that was recognised differently",
    "we see the small cell",
    "see a small cell die",
    4,
  ],
  ["one word where the texts meet", "and so", "so the law", 1],
  ["nothing where one common word comes again later", "in the law", "heat is in the room", 0],
  ["nothing of other words", "one two three", "four five six", 0],
  ["nothing after no text", "", "one two", 0],
  ["the whole of a text", "one two three four", "three four", 2],
  ["only the last of what was said several times", "no no no no", "no no yes", 2],
  // 福沢諭吉, in a textbook: the same phrase twice.
  [
    "where the texts meet, not where a phrase is alike",
    "天は人の上に人を造らず人の下",
    "造らず人の下に人を造らず",
    6,
  ],
  [
    "the same in the middle of a phrase",
    "天は人の上に人を造らず人の下に人を",
    "人の下に人を造らずと言え",
    6,
  ],
  ["a part of a word before", "the quick brown fox", "ick brown fox jumps", 3],
])("counts %s", (_, before, text, count) => {
  expect(countRepeatedWords(before, isUnspaced(text) ? [...text] : split(text))).toBe(count);
});

it("joins two texts that overlap anywhere", () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,6}$/), { minLength: 4, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (said, a, b) => {
      const end = 1 + (a % said.length);
      const start = Math.max(0, end - (b % Math.min(end + 1, 20)));
      const next = said.slice(start);
      const fresh = next.slice(countRepeatedWords(said.slice(0, end).join(" "), next));
      expect([...said.slice(0, end), ...fresh]).toEqual(said);
    }),
    { numRuns: countRuns(500) },
  );
});

describe("a repeat filter", () => {
  const token = (text: string, startMs: number, isFinal = true): RelayToken => ({
    text,
    is_final: isFinal,
    start_ms: startMs,
    end_ms: startMs + 200,
  });
  const batch = (tokens: RelayToken[], finalMs: number) => ({
    type: "tokens" as const,
    tokens,
    audio_final_proc_ms: finalMs,
    audio_total_proc_ms: finalMs,
  });
  const texts = (tokens: readonly RelayToken[]) => tokens.map(({ text }) => text).join("");

  it("holds words back until all that may be repeated are here, and leaves those out", () => {
    const filter = new RepeatFilter("we measure the heat");
    const first = filter.apply(
      batch([token(" the", 9_000), token(" he", 9_300, false)], 9_200),
      10_000,
    );
    expect(first.tokens).toEqual([]);
    const second = filter.apply(
      batch(
        [
          token(" he", 9_300),
          token("at", 9_500),
          token(" flows", 9_800),
          token(" on", 10_200, false),
        ],
        11_000,
      ),
      10_000,
    );
    expect(texts(second.tokens)).toBe(" flows on");
    expect(texts(filter.apply(batch([token(" the", 10_500)], 11_700), 10_000).tokens)).toBe(" the");
  });

  it.each([
    ["within the repeated sound", 10_200, " flows"],
    ["behind it", 10_000, " beat heat flows"],
  ])("leaves out a word that sound has cut, and one word after it, %s", (_, untilMs, rest) => {
    const filter = new RepeatFilter("we measure the heat");
    const tokens = [token(" beat", 9_800), token(" heat", 10_000), token(" flows", 10_400)];
    filter.apply(batch(tokens, 10_600), untilMs);
    expect(texts(filter.end())).toBe(rest);
  });

  it("gives what it holds when no more words come", () => {
    const filter = new RepeatFilter("the heat");
    filter.apply(batch([token(" heat", 8_000), token(" flows", 8_500)], 9_000), 10_000);
    expect(texts(filter.end())).toBe(" flows");
    expect(filter.end()).toEqual([]);
  });
});

it.each([
  [
    "removes first words that are the last ones before",
    "and so the law says",
    "The law says, that heat",
    "that heat",
  ],
  ["keeps a single repeated word", "that is very", "very good", "very good"],
  ["keeps text without an overlap", "", "one two", "one two"],
])("%s", (_, before, text, rest) => {
  expect(removeOverlap(before, text)).toBe(rest);
});

describe.each(["ja", "zh", "ar", "hi", "ko", "ru"] as const)("texts of %s", (language) => {
  const { sentences } = readSpokenSentences(language);
  const { text } = joinSentences(sentences, language);
  const units = listUnits(text).filter((unit) => toComparable(unit.text) !== "");
  const all = units.map((unit) => toComparable(unit.text));
  const from = (index: number) => units[index]?.from ?? text.length;
  const perWord = isUnspaced(text) ? 3 : 1;

  it("that overlap by at least two words are joined", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2 * perWord, max: 12 * perWord }), (at, overlap) => {
        const end = overlap + (at % (all.length - 2 * overlap));
        const next = all.slice(end - overlap, end + overlap);
        expect(countRepeatedWords(text.slice(0, from(end)), next)).toBe(overlap);
      }),
      { numRuns: countRuns(400) },
    );
  });

  it("that follow one another without an overlap stay", () => {
    const wrong = sentences.slice(1).filter((sentence, index) => {
      const before = joinSentences(sentences.slice(0, index + 1), language).text;
      return countRepeatedWords(before, listComparable(sentence)) > 0;
    });
    expect(wrong).toEqual([]);
  });

  it("are joined at a session's end", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2 * perWord, max: 10 * perWord }), (at, overlap) => {
        const end = overlap + (at % (units.length - 2 * overlap));
        const before = text.slice(0, from(end));
        const next = text.slice(from(end - overlap), from(end + overlap));
        const fresh = removeOverlap(before, next.trim());
        expect(listComparable(fresh)).toEqual(
          listComparable(text.slice(from(end), from(end + overlap))),
        );
      }),
      { numRuns: countRuns(200) },
    );
  });
});

it("cuts a token within which the new words begin, with its time", () => {
  const filter = new RepeatFilter("そして熱は流れます");
  const tokens: RelayToken[] = [
    { text: "熱は", is_final: true, start_ms: 0, end_ms: 300 },
    { text: "流れます。次に", is_final: true, start_ms: 300, end_ms: 1_000 },
    { text: "仕事", is_final: true, start_ms: 1_000, end_ms: 1_200 },
  ];
  const times = { audio_final_proc_ms: 2_000, audio_total_proc_ms: 2_000 };
  expect(filter.apply({ type: "tokens", tokens, ...times }, 1_000).tokens).toEqual([
    { text: "次に", is_final: true, start_ms: 800, end_ms: 1_000 },
    tokens[2],
  ]);
});

it("counts the most words that end one text and begin the next", () => {
  const words = fc.array(fc.constantFrom("a", "b"), { maxLength: 9 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const overlaps = [...after.keys()]
        .map((index) => after.slice(0, index + 1))
        .filter((begin) => before.join("").endsWith(begin.join("")));
      expect(countOverlap(before, after)).toBe(overlaps.at(-1)?.length ?? 0);
    }),
    { numRuns: countRuns(1_000) },
  );
});
