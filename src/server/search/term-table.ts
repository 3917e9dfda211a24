import { type SQL, sql } from "drizzle-orm";
import { getUserTag } from "./lexemes.ts";
import { minPrefixLength, type Term } from "./parse-query.ts";

/** Letters and digits alone get here, so quotes need no care. */
const quoteLexeme = (text: string) => `'${text}'`;

function toPairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * One row of `(n, indexed, words, needle, begin)`: `indexed` is the query for the index, null for a stop word.
 * In a sentence a word is looked for by `words`, a CJK run by `needle`; `begin` is how nearly every form of
 * the word begins.
 */
function toTermRow(term: Term, n: number, tag: string): SQL {
  if (term.kind === "cjk") {
    const pairs = toPairs(term.text);
    const indexed =
      pairs.length > 0
        ? pairs.map((pair) => quoteLexeme(tag + pair)).join(" & ")
        : // Pairs that begin with it, and itself where it ends a run.
          `${quoteLexeme(tag + term.text)}:*`;
    return sql`select ${n}::int, ${indexed}::tsquery, null::tsquery, ${term.text}::text, null::text`;
  }
  const asPrefix = Array.from(term.text).length >= minPrefixLength;
  /** The word's stem, or a word that begins with what was typed; null for a stop word. */
  const query = (before: string) => {
    const typed = `${quoteLexeme(before + term.text)}${asPrefix ? ":*" : ""}`;
    return sql`(
      select case when stems = '{}' then null
        else '''' || ${before}::text || coalesce(stems[1], ${term.text}::text) || ''' | ' || ${typed}::text end
      from (select ts_lexize('english_stem', ${term.text}::text) as stems) as stemmed
    )::tsquery`;
  };
  // A stem's last vowel may be another one in the word: "studi" is the stem of "study".
  const begin = sql`(select regexp_replace(coalesce(stems[1], ${term.text}::text), '[eiy]$', '')
    from (select ts_lexize('english_stem', ${term.text}::text) as stems) as stemmed)`;
  return sql`select ${n}::int, ${query(tag)}, ${query("")}, null::text, ${begin}`;
}

/** `terms` as that table without the stop words among them. */
export function createTermTable(terms: readonly Term[], userId: string): SQL {
  const rows = terms.map((term, n) => toTermRow(term, n, getUserTag(userId)));
  return sql`select * from (${sql.join(rows, sql` union all `)}) as term (n, indexed, words, needle, begin)
    where indexed is not null`;
}
