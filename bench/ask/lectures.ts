import { createRandom } from "#bench/library-data.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import fillerData from "./fillers.json" with { type: "json" };
import lectureData from "./lectures.json" with { type: "json" };
import questionData from "./questions.json" with { type: "json" };

/** Lectures written for the measurement of questions: English with Chinese translations, and Chinese with English ones. */

interface AskRow {
  /** Of a fact that is asked for; else empty. */
  fact: string;
  original: string;
  translated: string;
}

export interface AskLecture {
  title: string;
  spokenIn: SpokenLanguage;
  translatedInto: TranslationLanguage;
  rows: AskRow[];
}

export interface AskQuestion {
  kind: string;
  language: TranslationLanguage;
  question: string;
  /** Of the row that answers it; null if none does. */
  fact: string | null;
}

export const askQuestions = questionData as readonly AskQuestion[];

/** Rows of usual talk between two of the lecture's own sentences. */
const fillersBetween = { min: 4, max: 9 };

function createLecture(
  { title, spokenIn, topics, said }: (typeof lectureData)[number],
  seed: number,
): AskLecture {
  const random = createRandom(seed);
  const choose = (count: number) => Math.floor(random() * count);
  const isEnglish = spokenIn === "en";
  const toRow = (fact: string, [english = "", chinese = ""]: readonly string[]): AskRow => ({
    fact,
    ...(isEnglish
      ? { original: english, translated: chinese }
      : { original: chinese, translated: english }),
  });
  const createFiller = () => {
    const topic = topics[choose(topics.length)];
    const texts = fillerData[choose(fillerData.length)] ?? [];
    return toRow(
      "",
      texts.map((text, at) => text.replace("{topic}", topic?.[at] ?? "")),
    );
  };
  const rows = said.flatMap(([fact = "", ...texts]) => [
    ...Array.from(
      { length: fillersBetween.min + choose(fillersBetween.max - fillersBetween.min) },
      createFiller,
    ),
    toRow(fact, texts),
  ]);
  return {
    title,
    rows,
    spokenIn: isEnglish ? "en" : "zh",
    translatedInto: isEnglish ? "zh-cn" : "en",
  };
}

export const askLectures: readonly AskLecture[] = lectureData.map(createLecture);

/** Where the row of a fact is. */
export interface FactPlace {
  lectureId: string;
  position: number;
}

/** As two arrays in Postgres' text format. */
const toArrays = (rows: readonly AskRow[]): string[] =>
  (["original", "translated"] as const).map(
    (side) => `{${rows.map((row) => JSON.stringify(row[side])).join(",")}}`,
  );

/** Adds the lectures to the user's library. @returns the place of each fact, and the lectures' ids */
export async function writeAskLectures(
  backend: SqlBackend,
  userId: string,
): Promise<{ facts: Map<string, FactPlace>; lectureIds: string[] }> {
  const facts = new Map<string, FactPlace>();
  const lectureIds: string[] = [];
  for (const { title, spokenIn, translatedInto, rows } of askLectures) {
    const lectureId = crypto.randomUUID();
    lectureIds.push(lectureId);
    await backend.run({
      query: `insert into lectures (id, user_id, title, status, source_language, target_language)
        values ($1, $2, $3, 'completed', $4, $5::target_language)`,
      params: [lectureId, userId, title, spokenIn, translatedInto],
    });
    await backend.run({
      query: `insert into transcript_entries
          (lecture_id, position, original, spoken_in, translated, start_ms, end_ms)
        select $1, n - 1, original, $2, translated, (n - 1) * 6000, n * 6000 - 500
        from unnest($3::text[], $4::text[]) with ordinality as said (original, translated, n)`,
      params: [lectureId, spokenIn, ...toArrays(rows)],
    });
    for (const [position, { fact }] of rows.entries())
      if (fact !== "") facts.set(fact, { lectureId, position });
  }
  return { facts, lectureIds };
}
