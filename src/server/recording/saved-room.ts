import * as z from "zod/mini";
import { intake } from "./intake.ts";
import { rateSpan } from "./recording-clock.ts";
import { serviceLevels } from "./service-levels.ts";
import { speakerTurn } from "./speakers.ts";

/** Whose allowance a segment counts against: a user's, or a guest's by ticket and by address. */
const payer = z.object({ userId: z.nullable(z.string()), address: z.nullable(z.string()) });
export type Payer = z.infer<typeof payer>;

/** One stretch of recorded time, a row of the ledger. */
const segment = z.object({
  number: z.int(),
  payer,
  /** First day of the period it counts for. */
  period: z.string(),
  startedAt: z.number(),
  recordedMs: z.number(),
  closed: z.boolean(),
  /** What the ledger is known to hold; null before the first write. */
  flushed: z.nullable(z.object({ recordedMs: z.number(), closed: z.boolean() })),
});
export type Segment = z.infer<typeof segment>;

/** What a room keeps in its storage, to go on after an eviction. Never audio, never words. */
export const savedRoom = z.object({
  version: z.literal(2),
  recordingId: z.string(),
  /** Null for a guest's room. */
  owner: z.nullable(z.object({ userId: z.string(), sessionId: z.string() })),
  payer,
  level: z.enum(serviceLevels),
  highSeq: z.int(),
  totalMs: z.number(),
  clock: z.array(rateSpan),
  turns: z.array(speakerTurn),
  nextSegment: z.int(),
  segments: z.array(segment),
  intake,
  salt: z.int(),
});
export type SavedRoom = z.infer<typeof savedRoom>;
