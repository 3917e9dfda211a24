import * as z from "zod/mini";
import { entryPositionMax, nonNegativeInt, uuid } from "./lecture.ts";
import { marksPerChangeMax, noteMaxLength } from "./limits.ts";
import { storedText } from "./stored-text.ts";

/** A marked sentence, with or without a note. The browser chooses `id`, which is unique within the lecture. */
const mark = z.object({
  id: uuid,
  /** A time in the sentence, on the lecture's clock. Rows may move, times do not. */
  atMs: nonNegativeInt,
  /** The row's position in a lecture without times; otherwise null. */
  position: z.nullable(nonNegativeInt.check(z.maximum(entryPositionMax))),
  /** Empty for a mark without a note. */
  note: storedText(noteMaxLength),
});
export type Mark = z.infer<typeof mark>;

/** Stores `marks` in place of those with the same ids, and deletes others. Repeating it changes nothing. */
export const changeMarksInput = z
  .object({
    lectureId: uuid,
    marks: z.array(mark).check(z.maxLength(marksPerChangeMax)),
    deletedIds: z.array(uuid).check(z.maxLength(marksPerChangeMax)),
  })
  .check(
    z.refine(
      ({ marks, deletedIds }) =>
        new Set([...marks.map(({ id }) => id), ...deletedIds].map((id) => id.toLowerCase()))
          .size ===
        marks.length + deletedIds.length,
      "a mark occurs twice",
    ),
  );
export type ChangeMarksInput = z.infer<typeof changeMarksInput>;
