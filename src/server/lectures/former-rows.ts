import { sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { nonNegativeInt, storedText } from "#shared/fields.ts";
import {
  defaultSourceLanguage,
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  spokenLanguages,
  translationLanguages,
} from "#shared/languages.ts";
import { entryPositionMax, type TranscriptEntry, uuid } from "#shared/lecture.ts";
import { entryTextMaxLength, rowsPerCallMax, speakerLabelMaxLength } from "#shared/limits.ts";
import { saveRows } from "./save-rows.ts";

/**
 * How pages of the version before save rows: by their index, without ids. Such a page may still be open when this version is
 * deployed, and nothing that it has is lost. The next release removes this file and its uses.
 */

const formerEntry = z
  .object({
    original: storedText(entryTextMaxLength),
    originalByHand: z.optional(z.boolean()),
    spokenIn: z.optional(z.enum(spokenLanguages)),
    translated: storedText(entryTextMaxLength),
    translatedInto: z.nullable(z.enum(translationLanguages)),
    translatedByHand: z.boolean(),
    speaker: z.nullable(storedText(speakerLabelMaxLength)),
    startMs: nonNegativeInt,
    endMs: nonNegativeInt,
    /**
     * Number of changes of the row. Of two versions, the page keeps the one with more. 0 without a translation: it is still
     * missing.
     */
    revision: nonNegativeInt,
  })
  .check(z.refine((entry) => entry.endMs >= entry.startMs, "endMs lies before startMs"));

/** `insert`, which such a page also sends, is not needed: rows are in the order of their times. */
export const formerAppendInput = z.object({
  lectureId: uuid,
  /** Index of the first of `entries` on the page. */
  from: nonNegativeInt.check(z.maximum(entryPositionMax)),
  entries: z.array(formerEntry).check(z.minLength(1), z.maxLength(rowsPerCallMax)),
});
type FormerAppendInput = z.infer<typeof formerAppendInput>;

type StoredRow = Pick<
  TranscriptEntry,
  "id" | "seq" | "ordinal" | "original" | "originalByHand" | "spokenIn" | "translated" | "startMs"
> & { revision: number };

/**
 * Saves `entries[i]` as the row with its start, which never changes on such a page, and the ordinal `from + i`; see `take`
 * for others. A row that is stored with as many changes and another text is left out: `isStale`.
 *
 * @throws AppError see `saveRows`
 */
export async function appendFormerRows(
  db: Database,
  { userId, lectureId, from, entries, now }: FormerAppendInput & { userId: string; now: Date },
) {
  const { rows } = await db.execute<
    Record<string, unknown> & LanguagePair & { last: number | null; rows: StoredRow[] | null }
  >(sql`
    select source_language as "sourceLanguage", target_language as "targetLanguage", is_two_way as "isTwoWay",
      (select max(position) from transcript_entries where lecture_id = lectures.id) as last, (
      select json_agg(json_build_object('id', id, 'seq', seq, 'ordinal', position, 'original', original,
        'originalByHand', original_by_hand, 'spokenIn', spoken_in, 'translated', translated, 'startMs', start_ms,
        'revision', revision) order by position)
      from transcript_entries where lecture_id = lectures.id
        and start_ms in (select value::int from json_array_elements_text(${JSON.stringify(entries.map(({ startMs }) => startMs))}::json))
    ) as rows
    from lectures where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`);
  const [lecture] = rows;
  if (!lecture) throw new AppError("not_found");
  const unmatched = Map.groupBy(lecture.rows ?? [], ({ startMs }) => startMs);
  let isStale = false;
  const changed: (TranscriptEntry & { revision: number })[] = [];
  for (const [index, { revision, ...entry }] of entries.entries()) {
    const ordinal = from + index;
    const id = await toRowId(lectureId, ordinal, entry.startMs);
    const found = take(unmatched.get(entry.startMs) ?? [], {
      id,
      ordinal,
      original: entry.original,
      isKnown: ordinal <= (lecture.last ?? -1),
    });
    const isOlder = found !== undefined && found.revision >= revision;
    if (isOlder && (found.original !== entry.original || found.translated !== entry.translated))
      isStale = true;
    if (isOlder) continue;
    const spokenIn = entry.spokenIn ?? found?.spokenIn ?? toSpokenLanguage(lecture.sourceLanguage);
    const isWaiting = revision === 0 && entry.translated === "";
    changed.push({
      ...entry,
      revision,
      id: found?.id ?? id,
      seq: found?.seq ?? 0,
      ordinal,
      originalByHand: entry.originalByHand ?? found?.originalByHand ?? false,
      spokenIn,
      translatedInto:
        entry.translatedInto ?? (isWaiting ? getTranslationLanguage(lecture, spokenIn) : null),
    });
  }
  const result =
    changed.length === 0
      ? null
      : await saveRows(db, { userId, lectureId, entries: changed, deleted: [], now });
  isStale ||= (result?.saved.changed.length ?? 0) > 0;
  return {
    range: result?.range ?? null,
    shareId: result?.shareId ?? null,
    audience: result?.audience ?? null,
    answer: { nextPosition: from + entries.length, isStale },
  };
}

/**
 * Takes a row out of `rows`, which all have one start: the one with `ordinal`, or that such a page has added with it. Rows that
 * such a page has inserted have other ordinals than their indexes, as have the rows after them. So if rows have times, it may
 * also be the one with the same text or, unless the page has added it at the end, any other.
 */
function take(
  rows: StoredRow[],
  {
    id,
    ordinal,
    original,
    isKnown,
  }: Pick<StoredRow, "id" | "ordinal" | "original"> & { isKnown: boolean },
): StoredRow | undefined {
  const find = (isMeant: (row: StoredRow) => boolean) => rows.findIndex(isMeant);
  const candidates = [
    find((row) => row.ordinal === ordinal),
    find((row) => row.id === id),
    find((row) => row.startMs > 0 && row.original === original),
    find((row) => row.startMs > 0 && isKnown),
  ];
  const at = candidates.find((one) => one >= 0);
  return at === undefined ? undefined : rows.splice(at, 1)[0];
}

const toSpokenLanguage = (language: string): SpokenLanguage =>
  spokenLanguages.find((one) => one === language) ?? defaultSourceLanguage;

/** The same for a repeated call. */
async function toRowId(lectureId: string, ordinal: number, startMs: number): Promise<string> {
  const text = new TextEncoder().encode(`${lectureId} ${ordinal} ${startMs}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  // The version and the variant of a UUID whose bytes are the sender's own choice.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
