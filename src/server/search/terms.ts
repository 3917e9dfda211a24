import { type SQL, sql } from "drizzle-orm";
import { cjkRuns, tagOf } from "./text.ts";

/** More words than this narrow nothing further down. */
const termsMax = 8;
/** Below this a word is not taken for the beginning of one. */
const prefixMinLength = 3;

/** A part of a query: every one must be in a lecture that is found. */
export type Term = { kind: "word" | "cjk"; text: string };

/** The words and CJK runs of a query, in order, without repetition. */
export function parseTerms(query: string): Term[] {
  const text = query.toWellFormed().normalize("NFKC").toLowerCase();
  const terms: Term[] = [];
  const add = (term: Term) => {
    if (terms.length < termsMax && !terms.some((one) => one.text === term.text)) terms.push(term);
  };
  for (const part of text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    let at = 0;
    for (const run of part.matchAll(cjkRuns)) {
      if (run.index > at) add({ kind: "word", text: part.slice(at, run.index) });
      add({ kind: "cjk", text: run[0] });
      at = run.index + run[0].length;
    }
    if (at < part.length) add({ kind: "word", text: part.slice(at) });
  }
  return terms;
}

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
  const begin = Array.from(term.text).slice(0, prefixMinLength).join("");
  return sql`select ${n}::int, ${query(tag)}, ${query("")}, null::text, ${begin}::text`;
}

/** `terms` as that table without the stop words among them. */
export function termTable(terms: readonly Term[], userId: string): SQL {
  const rows = terms.map((term, n) => rowOf(term, n, tagOf(userId)));
  return sql`select * from (${sql.join(rows, sql` union all `)}) as term (n, indexed, words, needle, begin)
    where indexed is not null`;
}
