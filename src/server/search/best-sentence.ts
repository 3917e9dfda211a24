import { sql } from "drizzle-orm";
import { maxPassageLength, normalizeText, toSqlNumber, toStems } from "./lexemes.ts";
import { passageRows, specialPassages } from "./refresh.ts";
import { toForms } from "./word-forms.ts";

/**
 * The indexed sentences of the passage, in order, or notes and lines of slides with the positions that they have
 * themselves; `whole` is the normalized text in which words are searched. `first` is in `first_language`, `second_text`
 * in `second_language`: the row's translation, or `first` again where the text is no row's and may be in either.
 */
const sentences = sql`
  select text.position, text.start_ms, text.first, text.second,
    coalesce(text.spoken_in, lecture.source_language) as first_language,
    coalesce(text.translated_into, lecture.target_language)::text as second_language,
    case when place.passage >= 0 then text.second else text.first end as second_text,
    ${normalizeText(sql`text.first || ' ' || text.second`)} as whole
  from (
    (select position, start_ms, first, second, spoken_in, translated_into
    from (
      select position, start_ms, original as first, translated as second, spoken_in, translated_into,
        sum(char_length(original) + char_length(translated) + 2) over (order by position)
          - char_length(original) - char_length(translated) - 2 as before
      from transcript_entries
      where lecture_id = page.id and place.passage >= 0
        and position >= place.passage * ${toSqlNumber(passageRows)}
        and position < (place.passage + 1) * ${toSqlNumber(passageRows)}
    ) as entry
    where before < ${toSqlNumber(maxPassageLength)}
    order by position)
    union all
    (select position, at_ms, note, '', null, null
    from marks
    where lecture_id = page.id and place.passage = ${toSqlNumber(specialPassages.notes)} and note <> ''
    order by at_ms, id)
    union all
    (select entry.position, coalesce(entry.start_ms, slide.at_ms), btrim(line, E' \\t\\r'), '', null, null
    from (
      select *, sum(char_length(text) + 1) over (order by created_at, id) - char_length(text) - 1 as before
      from slides
      where lecture_id = page.id and place.passage = ${toSqlNumber(specialPassages.slides)} and text <> ''
    ) as slide
    left join transcript_entries entry on entry.lecture_id = slide.lecture_id and entry.id = slide.row_id
    cross join lateral regexp_split_to_table(slide.text, E'\\n+') as line
    where before < ${toSqlNumber(maxPassageLength)}
    order by slide.created_at, slide.id)
    union all
    select (row_number() over ())::int, null, btrim(line, E' \\t\\r'), '', null, null
    from lectures, regexp_split_to_table(
      case place.passage when ${toSqlNumber(specialPassages.summary)} then left(summary, ${toSqlNumber(maxPassageLength)})
        when ${toSqlNumber(specialPassages.text)} then left(original_text, ${toSqlNumber(maxPassageLength / 2)}) || E'\n'
          || left(translated_text, ${toSqlNumber(maxPassageLength / 2)}) end,
      E'\\n+|(?<=[.!?؟।۔])[[:space:]]+|(?<=[。！？])'
    ) as line
    where id = page.id and place.passage < ${toSqlNumber(specialPassages.title)}
  ) as text`;

/** Whether `sentence` contains a term's letters, or the beginning of nearly all its forms. */
const hasLetters = sql`case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
  else strpos(lower(sentence.whole), terms.begin) > 0 end`;

/** Whether `sentence` contains as many terms as its passage. Comparing letters first avoids most stemming. */
const hasAllPassageTerms = sql`
  case when (select count(*) from terms where ${hasLetters}) < place.terms then false
    else place.terms = (
      select count(*) from terms
      where case when not ${hasLetters} then false
        else terms.needle is not null or ${toStems(sql`sentence.whole`)} @@ terms.words end
    ) end`;

/** Sentences with the number of terms in them. Each is stemmed at most once a language, and only if there are words. */
const countedSentences = sql`
  select sentence.*, (
    select count(*)::int from terms
    where case when terms.needle is not null then strpos(sentence.whole, terms.needle) > 0
      else sentence_stems.stems @@ terms.words end
  ) as terms
  from sentence cross join lateral (
    select case when (select bool_or(needle is null) from terms)
      then ${toStems(sql`sentence.whole`)}
        || array_to_tsvector(${toForms(sql`sentence.first_language`, sql`sentence.first`)}
          || ${toForms(sql`sentence.second_language`, sql`sentence.second_text`)}) end as stems
    offset 0
  ) as sentence_stems
  offset 0`;

/**
 * Selects the sentence of passage `place.passage` in lecture `page.id` (its row is `lecture`) that contains the most of
 * `terms`, and their number. Usually the first half finds a sentence with all terms of the passage and stops without
 * sorting. The second half is for terms in different sentences, and for forms that begin differently.
 */
export const selectBestSentence = sql`
  with sentence as materialized (${sentences})
  (select sentence.*, place.terms from sentence where ${hasAllPassageTerms} limit 1)
  union all
  (select * from (${countedSentences}) as scored_sentence where terms > 0 order by terms desc, position limit 1)
  limit 1`;
