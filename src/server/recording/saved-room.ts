import * as z from "zod/mini";
import { rateSpan } from "./recording-clock.ts";
import { speakerTurn } from "./speakers.ts";

/** One stretch of recorded time, a row of the usage ledger. */
const segment = z.object({
  number: z.int(),
  month: z.string(),
  startedAt: z.number(),
  recordedMs: z.number(),
  closed: z.boolean(),
  /** What the ledger is known to hold; null before the first write. */
  flushed: z.nullable(z.object({ recordedMs: z.number(), closed: z.boolean() })),
});
export type Segment = z.infer<typeof segment>;

/** What a room keeps in its storage, to go on after an eviction. Never audio, never words. */
export const savedRoom = z.object({
  version: z.literal(1),
  recordingId: z.string(),
  /** Null for a guest's room. */
  owner: z.nullable(z.object({ userId: z.string(), sessionId: z.string() })),
  highSeq: z.int(),
  totalMs: z.number(),
  clock: z.array(rateSpan),
  turns: z.array(speakerTurn),
  nextSegment: z.int(),
  segments: z.array(segment),
});
export type SavedRoom = z.infer<typeof savedRoom>;
