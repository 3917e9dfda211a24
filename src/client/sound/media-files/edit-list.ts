import type { OpenMedia } from "./media-track.ts";
import type { SoundBlock } from "./mono-timeline.ts";
import type { Edit } from "./movie-tables.ts";

/** An end that lies this much before that of the media is no rounding. */
const trimmedMinMs = 100;

/**
 * `media` as a player plays it: the library knows the beginning of the first edit only. `startMs`: the beginning of the
 * media's clock in the movie.
 */
export function applyEdits(media: OpenMedia, edits: readonly Edit[], startMs: number): OpenMedia {
  const parts: { fromMs: number; atMs: number; lengthMs: number }[] = [];
  /** Of the first edit: media times on the library's clock are later by this. */
  let shiftMs: number | null = null;
  let atMs = -startMs;
  for (const { mediaMs, lengthMs } of edits) {
    if (mediaMs !== null) {
      shiftMs ??= atMs - mediaMs;
      parts.push({ fromMs: mediaMs + shiftMs, atMs, lengthMs });
    }
    atMs += lengthMs;
  }
  const endMs = Math.max(0, ...parts.map((part) => part.atMs + part.lengthMs));
  // Without a length, the one edit lasts as long as the media.
  const isWhole = parts.length < 2 && media.lengthMs - endMs < trimmedMinMs;
  if (isWhole || endMs === 0) return media;
  async function* readBlocks(fromMs: number) {
    for (const part of parts) {
      const skippedMs = Math.max(0, fromMs - part.atMs);
      if (skippedMs >= part.lengthMs) continue;
      const partEndMs = part.fromMs + part.lengthMs;
      for await (const block of media.readBlocks(part.fromMs + skippedMs)) {
        if (block.atMs >= partEndMs) break;
        const cut = cutBlock(block, part.fromMs, partEndMs);
        yield { ...cut, atMs: cut.atMs - part.fromMs + part.atMs };
      }
    }
  }
  return { ...media, lengthMs: endMs, isMonoOpus: false, readBlocks };
}

/** The part of `block` between two times. */
function cutBlock(block: SoundBlock, fromMs: number, untilMs: number): SoundBlock {
  const { samples, sampleRate, atMs } = block;
  const toSamples = (ms: number) => Math.max(0, Math.round(((ms - atMs) * sampleRate) / 1_000));
  const first = toSamples(fromMs);
  return {
    samples: samples.subarray(first, toSamples(untilMs)),
    sampleRate,
    atMs: atMs + (first * 1_000) / sampleRate,
  };
}
