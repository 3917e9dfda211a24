import * as z from "zod/mini";
import { areDistinct, nonNegativeInt as milliseconds } from "./fields.ts";
import { gapsPerTakeMax, takesPerCallMax } from "./limits.ts";
import { audioCodecs } from "./relay.ts";

/**
 * Why there is no sound. `disconnected`: the microphone was unplugged. `muted`: the system or the browser had switched
 * it off. `notDelivered`: its samples did not arrive. `memoryFull`: storage and memory were full. `unreadable`: what
 * was stored could not be read again. `refused`: the service could not use it.
 */
export const lossReasons = [
  "disconnected",
  "muted",
  "notDelivered",
  "memoryFull",
  "unreadable",
  "refused",
] as const;
export type LossReason = (typeof lossReasons)[number];
/** Also `noWords`: somebody spoke, and no words were found in it. */
const gapReasons = [...lossReasons, "noWords"] as const;
export type GapReason = (typeof gapReasons)[number];

const gap = z.object({
  /** On the lecture's clock, ms. */
  atMs: milliseconds,
  /** Null: not known, because the recording was not continued in the same visit. Known for `noWords`. */
  lengthMs: z.nullable(milliseconds),
  reason: z.enum(gapReasons),
});
/** A time without sound that no person wanted, or of speech without words. */
export type Gap = z.infer<typeof gap>;

export const recordedTake = z.object({
  /** The take's own. */
  id: z.uuid(),
  /** Ms since the epoch. */
  startedAt: z.int().check(z.nonnegative(), z.maximum(253_402_300_799_999)),
  codec: z.enum(audioCodecs),
  /** All of it: acknowledged, missing, and the rest, which waits to be sent. */
  capturedMs: milliseconds,
  /** Sound that the service has transcribed. */
  acknowledgedMs: milliseconds,
  /** Sound up to the last word on the page. */
  transcribedMs: milliseconds,
  missingMs: milliseconds,
  /** Those with a place on the lecture's clock: the first `gapsPerTakeMax` without sound, then the longest without words. */
  gaps: z.array(gap).check(z.maxLength(gapsPerTakeMax)),
});
/** What became of the sound of a take. */
export type RecordedTake = z.infer<typeof recordedTake>;

/** Stores `takes` in place of older states of the same takes. Repeating it changes nothing. */
export const storeTakesInput = z.object({
  lectureId: z.uuid(),
  takes: z.array(recordedTake).check(
    z.minLength(1),
    z.maxLength(takesPerCallMax),
    z.refine((takes) => areDistinct(takes.map(({ id }) => id)), "a take occurs twice"),
  ),
});
export type StoreTakesInput = z.infer<typeof storeTakesInput>;

/** Sound that the service had not received when the take was stored, ms. */
export const getWaitingMs = ({
  capturedMs,
  acknowledgedMs,
  missingMs,
}: Pick<RecordedTake, "capturedMs" | "acknowledgedMs" | "missingMs">): number =>
  Math.max(0, capturedMs - acknowledgedMs - missingMs);
