import { Signal } from "#client/lib/signal.ts";

/** The open dialog of the reading surface. `first`: the speaker whose name field takes the focus. */
export type ReadingDialog =
  | { kind: "retranslate" | "recording" }
  | { kind: "speakers"; first: string | null };

export const readingDialog = new Signal<ReadingDialog | null>(null);

/** Whether the field is open that finds words in the lecture. */
export const isFindOpen = new Signal(false);
