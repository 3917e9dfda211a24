import { sql } from "drizzle-orm";
import { normalizeText, toStems } from "./lexemes.ts";
import { maxPassageLength, passageRows, specialPassages } from "./refresh.ts";

const toSqlNumber = (value: number) => sql.raw(String(value));

/** The sentences of the passage in order, as far as it is indexed; `whole` is one as the words are looked for in it. */
const sentences = sql`
  select text.position, text.start_ms, text.first, text.second,
    ${normalizeText(sql`text.first || ' ' || text.second`)} as whole
  from (
    (select position, start_ms, first, second
    from (
      select position, start_ms, english as first, translated as second,
        sum(char_length(english) + char_length(translated) + 2) over (order by position)
          - char_length(english) - char_length(translated) - 2 as before
      from transcript_entries
      where lecture_id = page.id and place.passage >= 0
        and position >= place.passage * ${toSqlNumber(passageRows)}
        and position < (place.passage + 1) * ${toSqlNumber(passageRows)}
    ) as placed
    where before < ${toSqlNumber(maxPassageLength)}
    order by position)
    union all
    select (row_number() over ())::int, null, btrim(line, E' \\t\\r'), ''
    from lectures, regexp_split_to_table(
      case place.passage when ${toSqlNumber(specialPassages.summary)} then left(summary, ${toSqlNumber(maxPassageLength)})
        when ${toSqlNumber(specialPassages.text)} then left(original_text, ${toSqlNumber(maxPassageLength / 2)}) || E'\n'
          || left(translated_text, ${toSqlNumber(maxPassageLength / 2)}) end,
      E'\\n+|(?<=[.!?])[[:space:]]+|(?<=[。！？])'
    ) as line
    where id = page.id and place.passage < ${toSqlNumber(specialPassages.title)}
  ) as text`;

/** Whether a word may stand in `sentence`: its letters do, or those with which nearly all its forms begin. */
const hasLetters = sql`case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
  else strpos(lower(sentence.whole), terms.begin) > 0 end`;

/** Whether as many words stand in `sentence` as in its passage. A glance at the letters spares most stemming. */
const hasAllPassageTerms = sql`
  case when (select count(*) from terms where ${hasLetters}) < place.terms then false
    else place.terms = (
      select count(*) from terms
      where case when not ${hasLetters} then false
        else terms.needle is not null or ${toStems(sql`sentence.whole`)} @@ terms.words end
    ) end`;

/** Sentences with how many of the words stand in them. Each is stemmed once, or never where no word is. */
const countedSentences = sql`
  select sentence.*, (
    select count(*)::int from terms
    where case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
      else stemmed.stems @@ terms.words end
  ) as terms
  from sentence cross join lateral (
    select case when (select bool_or(needle is null) from terms)
      then ${toStems(sql`sentence.whole`)} end as stems
    offset 0
  ) as stemmed
  offset 0`;

/**
 * Of the passage `place.passage` of the lecture `page.id` the sentence that holds the most of `terms`, with
 * how many. Nearly always one with all the words of its passage ends the look: sorting would read on, and
 * they come in order anyway. The other half is for words that stand apart, and for forms that begin
 * differently.
 */
export const selectBestSentence = sql`
  with sentence as materialized (${sentences})
  (select sentence.*, place.terms from sentence where ${hasAllPassageTerms} limit 1)
  union all
  (select * from (${countedSentences}) as counted where terms > 0 order by terms desc, position limit 1)
  limit 1`;
