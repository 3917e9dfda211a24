import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { finderOf } from "../../../../src/client/features/lectures/search/mark.ts";
import { stem } from "../../../../src/client/features/lectures/search/stem.ts";
import { testDatabase } from "../support/database.ts";

/** The page marks what the server has found: both must make the same of a word. */

const database = testDatabase();

const roots =
  "agree allow happy study try play use argue gener commun arsen hop hope bid dig tie lie die sky news inter nation " +
  "relate condition digit vary decide rational radical callous decisive predicate operate fever form sensible " +
  "triple hesitate conform able vile analog control roll fall skill cease rate replace irritate adjust " +
  "adopt activate effect entropy energy therm equilibr refract lens wave light succeed proceed inning out herr " +
  "knack know yacht youth say boy enjoy café naïve über see need feed";
const suffixes =
  "s es ed ing y ies ied ly edly ingly eed eedly ness fulness ousness iveness ization izer ational tional " +
  "ation ator alism ality alize icate icity ical ful fully less lessly li ative ance ence er able ible ant " +
  "ement ment ent ism ate ous ously ive ize ion logist logy ll e 's";

test("stems are those of Postgres", async () => {
  const words = roots
    .split(" ")
    .flatMap((root) => [root, ...suffixes.split(" ").map((suffix) => root + suffix)])
    .filter((word) => !word.includes("'"));
  const { rows } = await database().execute<{ word: string; stems: string[] }>(sql`
    select word, ts_lexize('english_stem', word) as stems
    from jsonb_array_elements_text(${JSON.stringify(words)}::jsonb) as word`);
  expect(rows.length).toBe(words.length);
  const wrong = rows
    .filter(({ stems }) => stems.length > 0)
    .filter(({ word, stems }) => stem(word) !== stems[0])
    .map(({ word, stems }) => `${word}: ${stem(word)}, not ${stems[0]}`);
  expect(wrong).toEqual([]);
});

test("words that Postgres leaves out are not marked, all others are", async () => {
  const words = "i me our ours yourselves whom these am having did an the because between through";
  const others = "entropy mine us lecture within among without upon nothing one";
  for (const word of `${words} ${others}`.split(" ")) {
    const { rows } = await database().execute<{ stop: boolean }>(
      sql`select ts_lexize('english_stem', ${word}::text) = '{}' as stop`,
    );
    expect(finderOf(word)(word).length === 0, word).toBe(rows[0]?.stop);
  }
});
