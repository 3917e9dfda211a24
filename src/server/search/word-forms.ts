import { type SQL, sql } from "drizzle-orm";
import type { SpokenLanguage } from "#shared/languages.ts";
import { normalizeText, separateWords, toSqlLiteral } from "./lexemes.ts";

/**
 * Stems of words in other languages than English, so that one form of a word finds another. They are stored beside the
 * English stems of the same text, as `de:haus`: what a language does not know is found as before.
 */

type Replacement = [pattern: string, replacement: string];

interface Stemmer {
  /** A text search configuration of Postgres. */
  config: string;
  /** Changes words before they are stemmed. */
  word?: Replacement;
  /** Changes stems, where the stemmer keeps forms of a word apart. */
  stem?: Replacement;
}

const stemmers: Partial<Record<SpokenLanguage, Stemmer>> = {
  de: { config: "german" },
  fr: { config: "french" },
  es: { config: "spanish" },
  it: { config: "italian" },
  // Singular and plural: equação, equações; diferencial, diferenciais.
  pt: { config: "portuguese", word: ["([[:alpha:]]{4})ais( |$)", "\\1al\\2"], stem: ["[ãõ]$", ""] },
  ru: { config: "russian" },
  // Without conjunction, preposition and article.
  ar: {
    config: "arabic",
    word: ["(^| )[وف]?(?:[بك]?ال|لل)(?=[ء-ي]{3})", "\\1"],
    stem: ["(?<=...)ا$", ""],
  },
  // The nukta is often left out.
  hi: { config: "hindi", word: ["\u093c", ""] },
};

const scripts: Record<string, RegExp> = {
  Latn: /\p{Script=Latin}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Arab: /\p{Script=Arabic}/u,
  Deva: /\p{Script=Devanagari}/u,
};

const replace = (text: SQL, [pattern, replacement]: Replacement) =>
  sql`regexp_replace(${text}, ${toSqlLiteral(pattern)}, ${toSqlLiteral(replacement)}, 'g')`;

/** `toResult` of the stemmer of `language`, or else null. */
const selectByLanguage = (language: SQL, toResult: (stemmer: Stemmer) => SQL | null): SQL => {
  const cases = Object.entries(stemmers).flatMap(([code, stemmer]) => {
    const result = toResult(stemmer);
    return result ? [sql`when ${toSqlLiteral(code)} then ${result}`] : [];
  });
  return sql`case ${language} ${sql.join(cases, sql` `)} end`;
};

/** The text search vector of `text` (a column) by the rules of `language`; null without a stemmer. */
const toVector = (language: SQL, text: SQL): SQL =>
  selectByLanguage(
    language,
    ({ config, word }) =>
      sql`to_tsvector(${toSqlLiteral(config)}, ${word ? replace(text, word) : text})`,
  );

const toForm = (language: SQL, lexeme: SQL): SQL =>
  sql`${language} || ':' || coalesce(${selectByLanguage(language, ({ stem }) => (stem ? replace(lexeme, stem) : null))}, ${lexeme})`;

/** A row of `text` (without punctuation) and its language, or none without a stemmer. */
const selectSpoken = (language: SQL, text: SQL): SQL => sql`
  select ${language} as language, ${separateWords(normalizeText(text))} as text
  where ${language} in (${sql.join(Object.keys(stemmers).map(toSqlLiteral), sql`, `)}) offset 0`;

/** The forms of the words of `text`, an array, which is empty for a language without a stemmer. */
export const toForms = (language: SQL, text: SQL): SQL => sql`array(
  select ${toForm(sql`spoken.language`, sql`one.lexeme`)}
  from (${selectSpoken(language, text)}) as spoken
  cross join lateral unnest(${toVector(sql`spoken.language`, sql`spoken.text`)}) as one
)`;

/** Languages that a searched word may be in, by its letters. */
export function listStemmedLanguages(word: string): string[] {
  const isOf = ({ script = "" }: Intl.Locale) => scripts[script]?.test(word) ?? false;
  return (Object.keys(stemmers) as SpokenLanguage[]).filter((code) =>
    isOf(new Intl.Locale(code).maximize()),
  );
}

/** The forms of `word` in `languages`, an array. */
export const toAllForms = (word: SQL, languages: SQL): SQL => sql`array(
  select form from unnest(${languages}::text[]) as stemmer (language)
  cross join lateral unnest(${toForms(sql`stemmer.language`, word)}) as form
)`;

/** The words of `text` whose form is one of `forms`, each between `<` and `>`; null without any. */
export const findForms = (language: SQL, text: SQL, forms: SQL): SQL => sql`(
  select string_agg('<' || word.token || '>', ' ')
  from (${selectSpoken(language, text)}) as spoken
  cross join lateral unnest(${toVector(sql`spoken.language`, sql`spoken.text`)}) as one
  cross join lateral unnest(one.positions) as place (n)
  join lateral (
    select token, row_number() over () as n from ts_parse('default', spoken.text) where tokid <> 12
  ) as word on word.n = place.n
  where ${toForm(sql`spoken.language`, sql`one.lexeme`)} = any (${forms})
)`;
