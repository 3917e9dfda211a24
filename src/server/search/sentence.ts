import { sql } from "drizzle-orm";
import { passageRows, passages, textMax } from "./refresh.ts";
import { normalText, stemsOf } from "./text.ts";

const number = (value: number) => sql.raw(String(value));

/** The sentences of the passage in order, as far as it is indexed; `whole` is one as the words are looked for in it. */
const sentences = sql`
  select text.position, text.start_ms, text.first, text.second,
    ${normalText(sql`text.first || ' ' || text.second`)} as whole
  from (
    (select position, start_ms, first, second
    from (
      select position, start_ms, english as first, translated as second,
        sum(char_length(english) + char_length(translated) + 2) over (order by position)
          - char_length(english) - char_length(translated) - 2 as before
      from transcript_entries
      where lecture_id = page.id and place.passage >= 0
        and position >= place.passage * ${number(passageRows)}
        and position < (place.passage + 1) * ${number(passageRows)}
    ) as placed
    where before < ${number(textMax)}
    order by position)
    union all
    select (row_number() over ())::int, null, btrim(line, E' \\t\\r'), ''
    from lectures, regexp_split_to_table(
      case place.passage when ${number(passages.summary)} then left(summary, ${number(textMax)})
        when ${number(passages.text)} then left(original_text, ${number(textMax / 2)}) || E'\n'
          || left(translated_text, ${number(textMax / 2)}) end,
      E'\\n+|(?<=[.!?])[[:space:]]+|(?<=[。！？])'
    ) as line
    where id = page.id and place.passage < ${number(passages.title)}
  ) as text`;

/** Whether a word may stand in `sentence`: its letters do, or those with which nearly all its forms begin. */
const lettersStand = sql`case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
  else strpos(lower(sentence.whole), terms.begin) > 0 end`;

/** Whether as many words stand in `sentence` as in its passage. A glance at the letters spares most stemming. */
const hasAllOfPassage = sql`
  case when (select count(*) from terms where ${lettersStand}) < place.terms then false
    else place.terms = (
      select count(*) from terms
      where case when not ${lettersStand} then false
        else terms.needle is not null or ${stemsOf(sql`sentence.whole`)} @@ terms.words end
    ) end`;

/** Sentences with how many of the words stand in them. Each is stemmed once, or never where no word is. */
const counted = sql`
  select sentence.*, (
    select count(*)::int from terms
    where case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
      else stemmed.stems @@ terms.words end
  ) as terms
  from sentence cross join lateral (
    select case when (select bool_or(needle is null) from terms)
      then ${stemsOf(sql`sentence.whole`)} end as stems
    offset 0
  ) as stemmed
  offset 0`;

/**
 * Of the passage `place.passage` of the lecture `page.id` the sentence that holds the most of `terms`, with
 * how many. Nearly always one with all the words of its passage ends the look: sorting would read on, and
 * they come in order anyway. The other half is for words that stand apart, and for forms that begin
 * differently.
 */
export const sentenceOfPlace = sql`
  with sentence as materialized (${sentences})
  (select sentence.*, place.terms from sentence where ${hasAllOfPassage} limit 1)
  union all
  (select * from (${counted}) as counted where terms > 0 order by terms desc, position limit 1)
  limit 1`;
