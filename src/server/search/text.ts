import { type SQL, sql } from "drizzle-orm";
import { cjk } from "./query-terms.ts";

/** Becomes a space on both sides of the search, so that the parser sees words and no addresses or paths. */
const punctuation = String.raw`!-/:-@\[-\`{-~‘-‟`;

/** Longer ones are no words, and an index entry has a limit. */
const lexemeMaxBytes = 120;

const literal = (text: string) => sql.raw(`'${text.replaceAll("'", "''")}'`);
const regex = (pattern: string) =>
  literal(pattern.replaceAll("CJK", cjk).replaceAll("PUNCTUATION", punctuation));

/** In a form in which a half-width and a full-width letter are one. */
export const normalText = (text: SQL): SQL => sql`normalize(${text}, NFKC)`;

/** Words with spaces between, for the text parser; characters of the class above are left out. */
export const spacedWords = (text: SQL) =>
  sql`regexp_replace(${text}, ${regex("[CJKPUNCTUATION]+")}, ' ', 'g')`;

/** English stems of `text`, which is normal already. */
export const stemsOf = (text: SQL): SQL => sql`to_tsvector('english', ${spacedWords(text)})`;

/**
 * The lexemes of `text` with `tag` before each: English stems, and of each CJK run its pairs of neighbours
 * and its last character. Pairs are cut off twice, from the first and from the second character on; of the
 * two cuts one leaves the last character by itself. Without positions: what stands where is read from the
 * text.
 */
export function lexemesOf(tag: SQL, text: SQL): SQL {
  const pairs = (of: SQL) =>
    sql`string_to_array(regexp_replace(${of}, ${regex("([CJK]{2})")}, '\\1 ', 'g'), ' ')`;
  // "offset 0" keeps Postgres from working the subqueries out anew wherever they are used.
  return sql`(
    select coalesce(array_to_tsvector(array_agg(${tag} || lexeme)), ''::tsvector)
    from (select ${normalText(text)} as whole offset 0) as given
    cross join lateral (
      select regexp_replace(given.whole, ${regex("[^CJK]+")}, ' ', 'g') as runs offset 0
    ) as cjk
    cross join lateral unnest(
      tsvector_to_array(to_tsvector('english', ${spacedWords(sql`given.whole`)}))
      || case when cjk.runs = '' or cjk.runs = ' ' then '{}' else ${pairs(sql`cjk.runs`)}
        || ${pairs(sql`regexp_replace(cjk.runs, ${regex("(^| )([CJK])(?=[CJK])")}, '\\1\\2 ', 'g')`)} end
    ) as lexeme
    where lexeme <> '' and octet_length(lexeme) <= ${sql.raw(String(lexemeMaxBytes))}
  )`;
}

/**
 * The beginning of each lexeme: a user's words lie side by side in the index, apart from everybody
 * else's. Four characters for 24 bits of the id: users may share one, so every query names the user too.
 */
export const tagOf = (userId: string): string =>
  btoa(
    String.fromCharCode(...[0, 2, 4].map((at) => Number.parseInt(userId.slice(at, at + 2), 16))),
  );
