import type { LectureMarks } from "#client/lecture/lecture-marks.ts";
import type { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import type { LectureFields, SessionApi } from "#client/lecture/server-api.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { countBytes } from "./unsaved-rows.ts";

/** Browsers limit all `keepalive` requests of a page to 64 KiB together. */
const keepaliveMaxBytes = 56_000;

const fitsRequest = (value: unknown): boolean => countBytes(value) <= keepaliveMaxBytes;

/** What the server has not confirmed. */
export interface Unsaved {
  fields: LectureFields;
  marks: ReturnType<LectureMarks["getChanges"]>;
  takes: ReturnType<RecordedTakes["getChanges"]>;
  /** The first rows, at least one if there are any. */
  takeRows(maxBytes: number): TranscriptEntry[];
}

/**
 * Sends as much of `unsaved` as a closing page can, in `keepalive` requests, when the page is hidden.
 * `confirmLeaveWhile` of `lib/browser.ts` asks whether the page may be left.
 */
export function saveOnPageHide(
  api: Pick<SessionApi, "saveRows" | "updateLecture" | "changeMarks" | "storeTakes">,
  lectureId: string,
  unsaved: Unsaved,
): void {
  const ignore = () => {};
  const options = { keepalive: true };
  // Fields that are too large would be refused and would use up the limit of the rows.
  const fields = fitsRequest(unsaved.fields) ? unsaved.fields : {};
  if (Object.keys(fields).length > 0)
    api.updateLecture({ id: lectureId, ...fields }, options).catch(ignore);
  const marks = fitsRequest({ fields, marks: unsaved.marks }) ? unsaved.marks : null;
  if (marks) api.changeMarks({ lectureId, ...marks }, options).catch(ignore);
  // A few hundred bytes.
  const { takes } = unsaved;
  if (takes !== null) api.storeTakes({ lectureId, takes }, options).catch(ignore);
  const restBytes = keepaliveMaxBytes - countBytes({ fields, ...(marks && { marks }), takes });
  const rows = unsaved.takeRows(restBytes);
  const [row] = rows;
  if (row !== undefined && countBytes(row) <= restBytes)
    api.saveRows({ lectureId, entries: rows, deleted: [] }, options).catch(ignore);
}
