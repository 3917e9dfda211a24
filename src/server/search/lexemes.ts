import { type SQL, sql } from "drizzle-orm";
import { cjkCharacters } from "./parse-query.ts";

/** Becomes a space on both sides of the search, so that the parser sees words and no addresses or paths. */
const punctuation = String.raw`!-/:-@\[-\`{-~‘-‟`;

/** Longer ones are no words, and an index entry has a limit. */
const maxLexemeBytes = 120;

const toSqlLiteral = (text: string) => sql.raw(`'${text.replaceAll("'", "''")}'`);
const toSqlRegex = (pattern: string) =>
  toSqlLiteral(pattern.replaceAll("CJK", cjkCharacters).replaceAll("PUNCTUATION", punctuation));

/** In a form in which a half-width and a full-width letter are one. */
export const normalizeText = (text: SQL): SQL => sql`normalize(${text}, NFKC)`;

/** Words with spaces between, for the text parser; characters of the class above are left out. */
export const separateWords = (text: SQL) =>
  sql`regexp_replace(${text}, ${toSqlRegex("[CJKPUNCTUATION]+")}, ' ', 'g')`;

/** English stems of `text`, which is normal already. */
export const toStems = (text: SQL): SQL => sql`to_tsvector('english', ${separateWords(text)})`;

/**
 * The lexemes of `text` with `tag` before each: English stems, and of each CJK run its pairs of neighbours
 * and its last character. Pairs are cut off twice, from the first and from the second character on; of the
 * two cuts one leaves the last character by itself. Without positions: what stands where is read from the
 * text.
 */
export function toLexemes(tag: SQL, text: SQL): SQL {
  const pairs = (of: SQL) =>
    sql`string_to_array(regexp_replace(${of}, ${toSqlRegex("([CJK]{2})")}, '\\1 ', 'g'), ' ')`;
  // "offset 0" keeps Postgres from working the subqueries out anew wherever they are used.
  return sql`(
    select coalesce(array_to_tsvector(array_agg(${tag} || lexeme)), ''::tsvector)
    from (select ${normalizeText(text)} as whole offset 0) as given
    cross join lateral (
      select regexp_replace(given.whole, ${toSqlRegex("[^CJK]+")}, ' ', 'g') as runs offset 0
    ) as cjk
    cross join lateral unnest(
      tsvector_to_array(to_tsvector('english', ${separateWords(sql`given.whole`)}))
      || case when cjk.runs = '' or cjk.runs = ' ' then '{}' else ${pairs(sql`cjk.runs`)}
        || ${pairs(sql`regexp_replace(cjk.runs, ${toSqlRegex("(^| )([CJK])(?=[CJK])")}, '\\1\\2 ', 'g')`)} end
    ) as lexeme
    where lexeme <> '' and octet_length(lexeme) <= ${sql.raw(String(maxLexemeBytes))}
  )`;
}

/**
 * The beginning of each lexeme: a user's words lie side by side in the index, apart from everybody
 * else's. Four characters for 24 bits of the id: users may share one, so every query names the user too.
 */
export const getUserTag = (userId: string): string =>
  btoa(
    String.fromCharCode(...[0, 2, 4].map((at) => Number.parseInt(userId.slice(at, at + 2), 16))),
  );
