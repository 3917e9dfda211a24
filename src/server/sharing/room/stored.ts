import * as z from "zod/mini";
import { targetLanguages } from "#shared/languages.ts";

/** `lost`: the recorder's connection was lost. `stopped`: by the person, or because it may not continue. */
const recordingState = z.enum(["live", "lost", "stopped"]);
export type RecordingState = z.infer<typeof recordingState>;

const language = z.enum(targetLanguages);
/** What a reader that connects again has. */
export const readerSince = z.nullable(z.object({ epoch: z.string(), seq: z.int() }));

/** Rows or translations below the position `before` that were sent to readers after the change `since`, up to `until`. */
const textRest = z.object({ before: z.int(), since: z.int(), until: z.int() });
export type TextRest = z.infer<typeof textRest>;

/** A reader, as its socket keeps it over hibernation. */
export const readerSchema = z.object({
  id: z.string(),
  /** False until it has its snapshot; only then it gets deltas. */
  isAdmitted: z.boolean(),
  /** Of its translations. */
  language,
  /** A language that it has chosen and does not read yet; null if there is none. */
  wanted: z.nullable(language),
  since: readerSince,
  /** It sends probes back. What a page of the version before has read is not known. */
  answersProbes: z.boolean(),
  unread: z.object({
    sentBytes: z.int(),
    readBytes: z.int(),
    probes: z.readonly(z.array(z.int())),
  }),
  /** What it has not been sent yet of the text so far; null: nothing. */
  rows: z.nullable(textRest),
  translations: z.nullable(textRest),
});
export type ReaderState = z.infer<typeof readerSchema>;

/** What the object stores besides the items: never text. */
export const storedShareSchema = z.object({
  version: z.literal(1),
  epoch: z.string(),
  seq: z.int(),
  recording: z.nullable(
    z.object({ state: recordingState, since: z.number(), byRoom: z.boolean() }),
  ),
});
export type StoredShare = z.infer<typeof storedShareSchema>;

/** When an item last changed: a row (`language` is ''), or its translation. */
export interface ShareSnapshotItem {
  position: number;
  language: string;
  seq: number;
  /** Hash of the content. */
  fingerprint: string;
}
