import { type SQL, sql } from "drizzle-orm";
import { getUserTag } from "./lexemes.ts";
import { minPrefixLength, type Term } from "./parse-query.ts";
import { listStemmedLanguages, toAllForms } from "./word-forms.ts";

/** Terms contain only letters and digits, so no quote needs escaping. */
const quoteLexeme = (text: string) => `'${text}'`;

/** The pairs of neighbours in a CJK run, as `toPairs` in lexemes.ts stores them. */
function toPairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * A row of `(n, indexed, words, needle, begin, forms)`: `indexed` is the query for the index, null for a stop word. In a
 * sentence, `words` finds a word and `needle` a CJK run; `begin` is the beginning of nearly all its English forms,
 * `forms` are its forms in other languages.
 */
function toTermRow(term: Term, n: number, tag: string, hasPrefixes: boolean): SQL {
  if (term.kind === "cjk") {
    const pairs = toPairs(term.text);
    const indexed =
      pairs.length > 0
        ? pairs.map((pair) => quoteLexeme(tag + pair)).join(" & ")
        : // Pairs that begin with the character, and the character at the end of a run.
          `${quoteLexeme(tag + term.text)}:*`;
    return sql`select ${n}::int, ${indexed}::tsquery, null::tsquery, ${term.text}::text, null::text, null::text[]`;
  }
  const asPrefix = hasPrefixes && Array.from(term.text).length >= minPrefixLength;
  /**
   * Matches the word's stem, words that begin with the term, or those of its forms of which `isUsed` is true; null for an
   * English stop word.
   */
  const toQuery = (tagText: string, isUsed: SQL) => {
    const prefix = `${quoteLexeme(tagText + term.text)}${asPrefix ? ":*" : ""}`;
    return sql`(
      select case when stems = '{}' then null
        else '''' || ${tagText}::text || coalesce(stems[1], ${term.text}::text) || ''' | ' || ${prefix}::text end
      from (select ts_lexize('english_stem', ${term.text}::text) as stems) as lexeme
    )::tsquery || coalesce((
      select string_agg(quote_literal(${tagText}::text || form), ' | ') from unnest(word.forms) as form where ${isUsed}
    ), '')::tsquery`;
  };
  // The stem's last vowel may differ from the word's: "studi" is the stem of "study".
  const begin = sql`(select regexp_replace(coalesce(stems[1], ${term.text}::text), '[eiy]$', '')
    from (select ts_lexize('english_stem', ${term.text}::text) as stems) as lexeme)`;
  // Reading the index for several words takes three times as long as for one, also if nobody has used the others.
  // Counted, because the planner looks for one row without the index.
  const isIndexed = sql`(
    select count(*) from search_passages where words @@ quote_literal(${tag}::text || form)::tsquery) > 0`;
  return sql`select ${n}::int, ${toQuery(tag, isIndexed)}, ${toQuery("", sql`true`)}, null::text, ${begin}, word.forms
    from (select ${toAllForms(sql`${term.text}::text`, listStemmedLanguages(term.text))} as forms offset 0) as word`;
}

/** The table of `terms`, without stop words. With `hasPrefixes`, words match those that begin with them. */
export function createTermTable(
  terms: readonly Term[],
  userId: string,
  { hasPrefixes = true } = {},
): SQL {
  const rows = terms.map((term, n) => toTermRow(term, n, getUserTag(userId), hasPrefixes));
  return sql`select * from (${sql.join(rows, sql` union all `)}) as term (n, indexed, words, needle, begin, forms)
    where indexed is not null`;
}
