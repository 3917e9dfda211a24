import { captureSampleRate, chunkSamples } from "../../../shared/limits.ts";

/** Length of one chunk on the recording's clock, ms. */
export const chunkMs = (chunkSamples * 1_000) / captureSampleRate;

/** Sequence number of the first chunk that begins at or after `ms`. */
export function seqFrom(ms: number): number {
  return Math.ceil(ms / chunkMs);
}

/** Sequence number of the chunk in which `ms` lies. */
export function seqAt(ms: number): number {
  return Math.floor(ms / chunkMs);
}
