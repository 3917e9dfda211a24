import { type SQL, sql } from "drizzle-orm";
import { prefixMinLength, type Term } from "./query-terms.ts";
import { tagOf } from "./text.ts";

/** Letters and digits alone get here, so quotes need no care. */
const lexeme = (text: string) => `'${text}'`;

function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * One row of `(n, indexed, words, needle, begin)`: `indexed` is the query for the index, null for a stop word.
 * In a sentence a word is looked for by `words`, a CJK run by `needle`; `begin` is how nearly every form of
 * the word begins.
 */
function rowOf(term: Term, n: number, tag: string): SQL {
  if (term.kind === "cjk") {
    const pairs = pairsOf(term.text);
    const indexed =
      pairs.length > 0
        ? pairs.map((pair) => lexeme(tag + pair)).join(" & ")
        : // Pairs that begin with it, and itself where it ends a run.
          `${lexeme(tag + term.text)}:*`;
    return sql`select ${n}::int, ${indexed}::tsquery, null::tsquery, ${term.text}::text, null::text`;
  }
  const asPrefix = Array.from(term.text).length >= prefixMinLength;
  /** The word's stem, or a word that begins with what was typed; null for a stop word. */
  const query = (before: string) => {
    const typed = `${lexeme(before + term.text)}${asPrefix ? ":*" : ""}`;
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
export function termTable(terms: readonly Term[], userId: string): SQL {
  const rows = terms.map((term, n) => rowOf(term, n, tagOf(userId)));
  return sql`select * from (${sql.join(rows, sql` union all `)}) as term (n, indexed, words, needle, begin)
    where indexed is not null`;
}
