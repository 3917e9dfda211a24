import fc from "fast-check";
import { expect, test } from "vitest";
import { createLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { markMatches, toMatches } from "#server/search/highlights.ts";
import { parseTerms } from "#server/search/parse-query.ts";
import { searchLectures } from "#server/search/search.ts";
import type { MarkedText } from "#shared/search.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

/** The text with marks in brackets. */
const inBrackets = (text: MarkedText) =>
  text.map((piece, index) => (index % 2 === 1 ? `[${piece}]` : piece)).join("");

/** The sentence as a search for `query` shows it; null if it is not found. */
async function show(text: string, query: string): Promise<string | null> {
  const db = database();
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  const now = new Date();
  await createLecture(db, { userId, id: lectureId, title: "Title", targetLanguage: "zh-cn", now });
  await saveRows(db, { userId, lectureId, entries: [createEntry(text)], deleted: [], now });
  const clock = { now: () => now };
  const [found] = (await searchLectures(db, { userId, query, cursor: null, clock })).results;
  return found?.hit.kind === "entry" ? inBrackets(found.hit.original) : null;
}

test.each([
  [
    "learning",
    "Machines learn, and learners learned.",
    "Machines [learn], and learners [learned].",
  ],
  ["studies", "We studied; a study.", "We [studied]; a [study]."],
  ["cats", "A cat in a category.", "A [cat] in a category."],
  ["cat", "A cat in a category.", "A [cat] in a [category]."],
  ["entr", "Entropy rises.", "[Entropy] rises."],
  ["en", "Entropy en route.", "Entropy [en] route."],
  ["the entropy", "The entropy of the thermos", "The [entropy] of the thermos"],
  ["the", "The other", null],
  ["熵", "熵总是增加，熵增。", "[熵]总是增加，[熵]增。"],
  ["机器学习", "机器会学习；机器学习。", "机器会学习；[机器学习]。"],
  ["人人", "人人人", "[人人人]"],
  ["RNN模型", "ＲＮＮ的模型", "[ＲＮＮ]的[模型]"],
  ["プリズム", "ﾌﾟﾘｽﾞﾑは", "[ﾌﾟﾘｽﾞﾑ]は"],
  ["한국", "한국어", "[한국]어"],
  ["café", "Cafe\u0301s", "[Cafe\u0301s]"],
  ["cafés", "Le CAFÉ, la naïveté", "Le [CAFÉ], la naïveté"],
  ["3.14", "about 3.14!", "about [3].[14]!"],
  ["don't", "Don't panic", null],
  ["МОСКВА", "в москва!", "в [москва]!"],
  ["dispersion", "refraction/dispersion <b>x</b>", "refraction/[dispersion] <b>x</b>"],
  [
    "bold",
    "<b>bold</b> <mark>plain</mark> >bolder<",
    "<b>[bold]</b> <mark>plain</mark> >[bolder]<",
  ],
])("%s in %s", async (query, text, expected) => {
  expect(await show(text, query)).toBe(expected);
});

const letters = fc.constantFrom(..."ab étﬁ，.机器学习ガｶﾞ한ᄒ\u1161\u11ab\u0301'1<>𠀀\ud840 ");
const texts = fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string({ unit: "binary" }));
/** Marks as if every word of `query` had been found. */
const createMatches = (query: string) => {
  const terms = parseTerms(query);
  return toMatches(terms, terms.map(({ text }) => `<${text}>`).join(" "));
};

test("splits a text into pieces without loss, empty marks or adjacent marks", () => {
  fc.assert(
    fc.property(texts, texts, (text, query) => {
      const marked = markMatches(text, createMatches(query));
      expect(marked.join("")).toBe(text);
      expect(marked.length % 2).toBe(1);
      expect(marked.slice(1, -1)).not.toContain("");
    }),
    { numRuns: countRuns(500) },
  );
});

test("marks a CJK word in any surroundings", () => {
  const han = fc.string({ unit: fc.constantFrom(..."机器学习熵光"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(texts, han, texts, (before, word, after) => {
      const marked = markMatches(`${before}${word}${after}`, createMatches(word));
      expect(marked.some((piece, index) => index % 2 === 1 && piece.includes(word))).toBe(true);
    }),
  );
});
