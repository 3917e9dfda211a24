import { sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { selectListTitle } from "#server/lectures/queries.ts";
import type { Clock } from "#server/ports.ts";
import { createTermTable } from "#server/search/index-query.ts";
import { toSqlNumber } from "#server/search/lexemes.ts";
import { passageRows, refreshBeforeSearch, selectWaiting } from "#server/search/refresh.ts";
import { isTranslationLanguage, type SpokenLanguage } from "#shared/languages.ts";
import { citedTextMaxLength } from "#shared/limits.ts";
import type { QuestionScope } from "#shared/question.ts";
import { translationFailed } from "#shared/words.ts";
import { parseQuestion } from "./retrieval/question-terms.ts";
import {
  type CandidateRow,
  type FoundRow,
  foldMarks,
  type RankTerm,
  rankRows,
  rowsAround,
} from "./retrieval/rank-rows.ts";
import { selectPlaces, selectScope } from "./retrieval/select-passages.ts";

export type { FoundRow } from "./retrieval/rank-rows.ts";

type Answer = {
  terms: { n: number; weight: number; begin: string | null; forms: string[] | null }[] | null;
  titles: Record<string, string> | null;
  rows: RowTuple[] | null;
};
type RowTuple = [
  lectureId: string,
  position: number,
  startMs: number,
  endMs: number,
  original: string,
  spokenIn: SpokenLanguage,
  translated: string,
  translatedInto: string | null,
];

/**
 * Finds the rows that a question may be answered from, among the user's lectures of `scope` outside the trash: those that
 * share words with it, in either language, and the rows around them. At most 60, in groups of neighbours: the best group
 * first, its rows in order. Lectures without rows are not searched.
 *
 * Costs one round trip, and more if passages have changed since they were indexed.
 */
export async function retrieveRows(
  db: Database,
  {
    userId,
    scope,
    question,
    clock,
  }: { userId: string; scope: QuestionScope; question: string; clock: Clock },
): Promise<FoundRow[]> {
  const { terms, phrases } = parseQuestion(question);
  if (terms.length === 0) return [];
  const statement = sql`
    with scope as (${selectScope({ userId, scope })}),
    terms as materialized (${createTermTable(terms, userId, { hasPrefixes: false })}),
    ${selectPlaces({ userId, scope })}
    select
      (select json_agg(json_build_object('n', terms.n, 'weight', weight, 'begin', begin, 'forms', forms))
        from terms join weights on weights.n = terms.n) as terms,
      (select json_object_agg(id, ${selectListTitle}) from lectures
        where id in (select lecture_id from place)) as titles,
      (select json_agg(json_build_array(lecture_id, position, start_ms, end_ms, original, spoken_in, translated, into_language))
        from (
          select entry.lecture_id, entry.position, entry.start_ms, entry.end_ms, entry.spoken_in,
            left(entry.original, ${toSqlNumber(citedTextMaxLength)}) as original,
            left(entry.translated, ${toSqlNumber(citedTextMaxLength)}) as translated,
            coalesce(entry.translated_into, lecture.target_language) as into_language
          from place
          join lectures lecture on lecture.id = place.lecture_id
          cross join lateral (
            select * from transcript_entries
            where transcript_entries.lecture_id = place.lecture_id
              and position >= place.passage * ${toSqlNumber(passageRows)} - ${toSqlNumber(rowsAround)}
              and position < (place.passage + 1) * ${toSqlNumber(passageRows)} + ${toSqlNumber(rowsAround)}
            offset 0
          ) as entry
        ) as passage_row) as rows`;
  const read = async () => {
    const [waiting, , { rows }] = await db.batch([
      selectWaiting(db, userId),
      // The planner expects more rows than there are, and compiling the statement takes longer than running it.
      db.execute(sql`select set_config('jit', 'off', true)`),
      db.execute<Answer>(statement),
    ]);
    return { isWaiting: waiting.rows.length > 0, ...rows[0] };
  };
  let answer = await read();
  if (answer.isWaiting) {
    await refreshBeforeSearch(db, userId, clock);
    answer = await read();
  }
  const titles = answer.titles ?? {};
  const rankTerms = (answer.terms ?? []).flatMap(({ n, weight, begin, forms }): RankTerm[] => {
    const term = terms[n];
    if (!term) return [];
    const stems = (forms ?? []).map((form) => foldMarks(form.slice(form.indexOf(":") + 1)));
    const begins = [...new Set([foldMarks(term.text), begin ?? "", ...stems])].filter(
      (one) => one !== "",
    );
    return [{ ...term, weight, begins }];
  });
  return rankRows(
    (answer.rows ?? []).map((row) => toCandidate(row, titles)),
    { terms: rankTerms, phrases: phrases.map(foldMarks) },
  );
}

function toCandidate(row: RowTuple, titles: Record<string, string>): CandidateRow {
  const [lectureId, position, startMs, endMs, original, spokenIn, translated, into] = row;
  const text = translated === translationFailed ? "" : translated;
  return {
    lectureId,
    title: titles[lectureId] ?? "",
    position,
    startMs,
    endMs,
    original,
    spokenIn,
    translated: text,
    translatedInto: text !== "" && isTranslationLanguage(into) ? into : null,
  };
}
