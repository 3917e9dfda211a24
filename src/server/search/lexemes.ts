import { type SQL, sql } from "drizzle-orm";
import { cjkCharacters } from "./parse-query.ts";

/** Replaced by a space in texts and queries, so that the parser finds words, not addresses or paths. */
const punctuation = String.raw`!-/:-@\[-\`{-~‘-‟`;

/** Characters of a passage that are indexed: a tsvector has a limit of one megabyte. */
export const maxPassageLength = 40_000;

/** Longer lexemes are not words, and the index limits the length. */
export const maxLexemeBytes = 120;

/** `value` as a literal, where a parameter is not possible or would change the plan. */
export const toSqlNumber = (value: number): SQL => sql.raw(String(value));
export const toSqlLiteral = (text: string) => sql.raw(`'${text.replaceAll("'", "''")}'`);
const toSqlRegex = (pattern: string) =>
  toSqlLiteral(pattern.replaceAll("CJK", cjkCharacters).replaceAll("PUNCTUATION", punctuation));

/** Thai marks, which are among the CJK characters. */
const thaiMarks = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e";
/** Katakana and Hangul that become CJK characters. */
const halfWidth = "\uff66-\uff9d\uffa0-\uffdc";
/** Characters of a run without white space, punctuation and CJK characters. A longer one is no word in the index. */
export const wordMaxLength = 128;
const wordCharacter = `(?:[${thaiMarks}]|[^CJKPUNCTUATION${halfWidth}[:space:]])`;

/**
 * Makes half-width and full-width letters equal. The rest of a run that is too long for a word is left out before: the
 * time of `normalize` grows with the square of a run of combining marks.
 */
export const normalizeText = (text: SQL): SQL =>
  sql`normalize(regexp_replace(${text}, ${toSqlRegex(
    `(${wordCharacter}{${wordMaxLength}})${wordCharacter}+`,
  )}, '\\1', 'g'), NFKC)`;

/** Removes CJK characters and punctuation, for the text parser. */
export const separateWords = (text: SQL) =>
  sql`regexp_replace(${text}, ${toSqlRegex("[CJKPUNCTUATION]+")}, ' ', 'g')`;

/** English stems of the normalized `text`. */
export const toStems = (text: SQL): SQL => sql`to_tsvector('english', ${separateWords(text)})`;

/**
 * The lexemes of `text`, each with `tag` before it: English stems, and for each CJK run its pairs of neighbours, its
 * last character and, if the run is longer than one character, its first. Pairs are split off twice, from the first
 * and from the second character: one of the two leaves the last character alone, the second leaves the first alone.
 * Without positions, which are read from the text. `toPairs` in index-query.ts makes the same pairs of a query.
 */
export function toLexemes(tag: SQL, text: SQL): SQL {
  const toPairs = (runs: SQL) =>
    sql`string_to_array(regexp_replace(${runs}, ${toSqlRegex("([CJK]{2})")}, '\\1 ', 'g'), ' ')`;
  // "offset 0" makes Postgres evaluate each subquery once instead of at each use.
  return sql`(
    select coalesce(array_to_tsvector(array_agg(${tag} || lexeme)), ''::tsvector)
    from (select left(${normalizeText(text)}, ${toSqlNumber(maxPassageLength)}) as whole offset 0) as input
    cross join lateral (
      select regexp_replace(input.whole, ${toSqlRegex("[^CJK]+")}, ' ', 'g') as runs offset 0
    ) as cjk
    cross join lateral unnest(
      tsvector_to_array(to_tsvector('english', ${separateWords(sql`input.whole`)}))
      || case when cjk.runs = '' or cjk.runs = ' ' then '{}' else ${toPairs(sql`cjk.runs`)}
        || ${toPairs(sql`regexp_replace(cjk.runs, ${toSqlRegex("(^| )([CJK])(?=[CJK])")}, '\\1\\2 ', 'g')`)} end
    ) as lexeme
    where lexeme <> '' and octet_length(lexeme) <= ${toSqlNumber(maxLexemeBytes)}
  )`;
}

/**
 * The beginning of each lexeme of a user, so that a user's words are neighbours in the index. Four characters from
 * 24 bits of the id: users may share one, so every query also filters by user.
 */
export const getUserTag = (userId: string): string =>
  btoa(
    String.fromCharCode(...[0, 2, 4].map((at) => Number.parseInt(userId.slice(at, at + 2), 16))),
  );

/**
 * The lexeme of about one in `sampledOneIn` passages of transcripts, which stand for all: how many of them have a word too
 * says how frequent it is, for a fraction of the time that reading all of them takes. No word has this character.
 */
const sampleLexeme = "#";
export const sampledOneIn = 64;

export const getSampleQuery = (userId: string): SQL =>
  sql`${`'${getUserTag(userId)}${sampleLexeme}'`}::tsquery`;

/** The lexemes that a passage has as part of the sample, an array. Migration 27 has the same rule. */
export const toSampleLexemes = (tag: SQL, lectureId: SQL, passage: SQL): SQL => sql`
  case when ${passage} >= 0 and (get_byte(uuid_send(${lectureId}), 15) + ${passage}) % ${toSqlNumber(sampledOneIn)} = 0
    then array[${tag} || ${toSqlLiteral(sampleLexeme)}] else '{}'::text[] end`;
