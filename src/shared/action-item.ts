import * as z from "zod/mini";
import { areDistinct, nonNegativeInt, storedText } from "./fields.ts";
import {
  actionItemsMax,
  actionNameMaxLength,
  actionRowsMax,
  actionTaskMaxLength,
  dueTextMaxLength,
} from "./limits.ts";

const line = (maxLength: number) => storedText(maxLength).check(z.trim(), z.minLength(1));

/** What somebody has said that somebody will do. */
const actionItem = z.object({
  /** Unique within the lecture; it stays when the same item is found again. */
  id: z.uuid(),
  task: line(actionTaskMaxLength),
  /** As it was said, or a speaker's name; null: nobody was named. */
  who: z.nullable(line(actionNameMaxLength)),
  /** Until when, in the words that were said; null: nothing was said of it. */
  due: z.nullable(line(dueTextMaxLength)),
  /** The day of `due`, ISO 8601, where its words name one; or the day that a person has set. */
  dueOn: z.nullable(z.iso.date()),
  /** The rows on which it rests. A row that is recognised again gets another id, and keeps its time. */
  rows: z
    .array(z.object({ id: z.uuid(), startMs: nonNegativeInt }))
    .check(z.maxLength(actionRowsMax)),
  isDone: z.boolean(),
  /** A person has changed it: finding items again does not replace it. */
  byHand: z.boolean(),
});
export type ActionItem = z.infer<typeof actionItem>;

/** All of a lecture, in its order. */
export const actionItems = z.array(actionItem).check(
  z.maxLength(actionItemsMax),
  z.refine((items) => areDistinct(items.map(({ id }) => id)), "an item occurs twice"),
);

/** What has become of looking for items. */
export interface FoundActionItems {
  /** All that the lecture has now. */
  items: ActionItem[];
  /** Of the model's answer: those that what was said does not support. */
  leftOut: number;
}
