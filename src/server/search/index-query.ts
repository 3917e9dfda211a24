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

/** The row of `term` in `createTermTable`: a CJK run with its query for the index, or a word with its languages. */
function toTermRow(term: Term, n: number, tag: string, hasPrefixes: boolean): SQL {
  if (term.kind === "word") {
    const isPrefix = hasPrefixes && Array.from(term.text).length >= minPrefixLength;
    const languages = `{${listStemmedLanguages(term.text).join(",")}}`;
    return sql`(${n}::int, ${term.text}::text, null::tsquery, ${isPrefix ? ":*" : ""}::text, ${languages}::text[])`;
  }
  const pairs = toPairs(term.text);
  const indexed =
    pairs.length > 0
      ? pairs.map((pair) => quoteLexeme(tag + pair)).join(" & ")
      : // Pairs that begin with the character, and the character at the end of a run.
        `${quoteLexeme(tag + term.text)}:*`;
  return sql`(${n}::int, ${term.text}::text, ${indexed}::tsquery, ''::text, '{}'::text[])`;
}

/**
 * Matches a word's stem, words that begin with the term, or those of its forms of which `isUsed` is true; null for an
 * English stop word.
 */
const toWordQuery = (tag: SQL, isUsed: SQL): SQL => sql`(
  case when stems = '{}' then null
    else format('''%1$s%2$s'' | ''%1$s%3$s''%4$s', ${tag}, coalesce(stems[1], term.text), term.text, term.suffix) end
)::tsquery || coalesce((
  select string_agg(quote_literal(${tag} || form), ' | ') from unnest(forms) as form where ${isUsed}
), '')::tsquery`;

/**
 * The table `(n, indexed, words, needle, begin, forms)` of `terms`, without stop words: `indexed` is the query for the
 * index. In a sentence, `words` finds a word and `needle` a CJK run; `begin` is the beginning of nearly all its English
 * forms, `forms` are its forms in other languages. With `hasPrefixes`, words match those that begin with them.
 */
export function createTermTable(
  terms: readonly Term[],
  userId: string,
  { hasPrefixes = true } = {},
): SQL {
  const tag = getUserTag(userId);
  const rows = terms.map((term, n) => toTermRow(term, n, tag, hasPrefixes));
  // Reading the index for several words takes three times as long as for one, also if nobody has used the others.
  // Counted, because the planner looks for one row without the index.
  const isIndexed = sql`(
    select count(*) from search_passages where words @@ quote_literal(${tag}::text || form)::tsquery) > 0`;
  // The stem's last vowel may differ from the word's: "studi" is the stem of "study".
  return sql`select * from (
    select n, coalesce(term.cjk, ${toWordQuery(sql`${tag}::text`, isIndexed)}) as indexed,
      case when term.cjk is null then ${toWordQuery(sql`''`, sql`true`)} end as words,
      case when term.cjk is not null then term.text end as needle,
      case when term.cjk is null then regexp_replace(coalesce(stems[1], term.text), '[eiy]$', '') end as begin,
      case when term.cjk is null then forms end as forms
    from (values ${sql.join(rows, sql`, `)}) as term (n, text, cjk, suffix, languages)
    cross join lateral (
      select case when term.cjk is null then ts_lexize('english_stem', term.text) end as stems,
        ${toAllForms(sql`term.text`, sql`term.languages`)} as forms offset 0
    ) as word
  ) as one where indexed is not null`;
}
