import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import { searchLectures } from "#server/search/search.ts";
import { listStemmedLanguages, toAllForms, toForms } from "#server/search/word-forms.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { readSpokenSentences } from "#tests/fixtures/spoken-sentences.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const clock = { now: () => new Date() };
const now = clock.now();

/** Share of the forms that must be found. */
const leastRecall: Partial<Record<SpokenLanguage, number>> = {
  de: 0.85,
  fr: 0.9,
  es: 0.95,
  it: 0.85,
  pt: 0.95,
  ru: 0.85,
  ar: 0.9,
  hi: 0.95,
};

test.each(Object.entries(leastRecall))(
  "forms of words in %s are the same word",
  async (language, least) => {
    const { forms } = readSpokenSentences(language as SpokenLanguage);
    const languages = sql`${`{${listStemmedLanguages(forms[0]?.[0] ?? "").join()}}`}`;
    const [searched, spoken] = [0, 1].map((at) => sql.param(forms.map((form) => form[at])));
    const { rows } = await database().execute<{
      searched: string;
      is_found: boolean;
      was_found: boolean;
    }>(sql`
    select searched, was_found,
      was_found or ${toAllForms(sql`lower(searched)`, languages)} && ${toForms(sql`${language}::text`, sql`spoken`)} as is_found
    from unnest(${searched}::text[], ${spoken}::text[]) as pair (searched, spoken)
    cross join lateral (
      select to_tsvector('english', searched) = to_tsvector('english', spoken)
        or starts_with(lower(spoken), lower(searched)) as was_found
    ) as original`);
    const recall = rows.filter((row) => row.is_found).length / rows.length;
    const before = rows.filter((row) => row.was_found).length / rows.length;
    const missed = rows.filter((row) => !row.is_found).map((row) => row.searched);
    process.stdout.write(
      `${language}: ${rows.length} forms, recall ${recall.toFixed(2)}, by English stems ${before.toFixed(2)} ${missed.join(", ")}\n`,
    );
    expect(recall).toBeGreaterThanOrEqual(least);
  },
);

async function openLecture(targetLanguage: TranslationLanguage) {
  const db = database();
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  await createLecture(db, { userId, id: lectureId, title: "Title", targetLanguage, now });
  return {
    db,
    userId,
    lectureId,
    async add(from: number, translations: string[], translatedInto: TranslationLanguage | null) {
      const entries = translations.map((translated, n) =>
        createEntry("-", from + n, { translated, translatedInto }),
      );
      await saveRows(db, {
        userId,
        lectureId,
        entries: numberRows(entries, from),
        deleted: [],
        now,
      });
    },
    /** The translation of the found sentence with marks in brackets, or null. */
    async search(query: string) {
      const { results } = await searchLectures(db, { userId, query, cursor: null, clock });
      const hit = results[0]?.hit;
      if (hit?.kind !== "entry") return null;
      return hit.translated.map((piece, n) => (n % 2 === 1 ? `[${piece}]` : piece)).join("");
    },
  };
}

describe("a translation is found by another form of a word, which is marked", () => {
  test.each<[TranslationLanguage, query: string, marked: string]>([
    ["de", "Haus", "[Häuser]"],
    ["de", "gleichungen GASES", "[Gleichung]"],
    ["fr", "animal", "[animaux]"],
    ["es", "ecuación", "[ecuaciones]"],
    ["ru", "уравнениями", "[Уравнения]"],
    ["ar", "جامعة", "[والجامعات]"],
    ["hi", "विद्यार्थी", "[विद्यार्थियों]"],
    ["hi", "मजदूर", "[मज़दूरों]"],
    ["ja", "方程式を", "[方程式]"],
    ["ko", "방정식을", "[방정식]은"],
  ])("in %s: %s", async (language, query, marked) => {
    const lecture = await openLecture(language);
    await lecture.add(0, readSpokenSentences(language as SpokenLanguage).sentences, language);
    expect(await lecture.search(query)).toContain(marked);
  });
});

test("each row is stemmed by its own language, or else by the lecture's", async () => {
  const lecture = await openLecture("de");
  await lecture.add(0, ["Die Häuser.", "Les animaux."], null);
  expect(await lecture.search("Haus")).toBe("Die [Häuser].");
  expect(await lecture.search("animal")).toBeNull();
  await lecture.add(2, ["Les chevaux.", "Die Bäume."], "fr");
  expect(await lecture.search("cheval")).toBe("Les [chevaux].");
  expect(await lecture.search("Baum")).toBeNull();
});

test("several words are found in one sentence in their forms", async () => {
  const lecture = await openLecture("de");
  await lecture.add(0, ["Ein Haus.", "Die Gleichungen.", "Die Häuser und eine Gleichung."], "de");
  expect(await lecture.search("Häusern Gleichungen")).toBe("Die [Häuser] und eine [Gleichung].");
});

test("passages that were indexed without forms are found as before, and indexed again by the migration", async () => {
  const lecture = await openLecture("de");
  await lecture.add(0, ["Die Häuser der Stadt."], "de");
  while ((await refreshSearchIndex(lecture.db, lecture.userId)).count > 0);
  await lecture.db.execute(sql`update search_passages
    set words = array_to_tsvector(array(select lexeme from unnest(tsvector_to_array(words)) as lexeme
      where lexeme not like '%:%')) where lecture_id = ${lecture.lectureId}::uuid`);
  expect(await lecture.search("Haus")).toBeNull();
  expect(await lecture.search("Häuser")).toBe("Die [Häuser] der Stadt.");
  await lecture.db.execute(sql.raw(readFileSync("migrations/0018_search_forms.sql", "utf8")));
  expect(await lecture.search("Haus")).toBe("Die [Häuser] der Stadt.");
});
