import { captureSampleRate } from "#shared/limits.ts";
import { listNormalWords } from "./normal-words.ts";
import type { Clip } from "./streams.ts";
import type { Stretch } from "./stretches.ts";

/** A word that is said, and about where. */
export interface SpokenWord extends Stretch {
  /** As it is compared. */
  text: string;
  /** Its start, or its end, is known, and no estimate. */
  hasStart: boolean;
  hasEnd: boolean;
}

const frameMs = 10;
const frameSamples = (captureSampleRate * frameMs) / 1_000;
/**
 * A voice is this far below its loud parts at most, dB. What is softer is breath, or the room: compared to a forced
 * alignment, words begin 50 ms from here, and end 0.1 s later.
 */
const voiceRangeDb = 20;
/** Shorter sound is no voice, and shorter silence is within a word, as before a "t". */
const voiceMinMs = 30;
const closureMs = 200;

/** The stretches of `clip` in which a voice is heard. Clips have no other sound than the voice. */
export function findVoice(
  samples: Float32Array,
  { start, end }: Pick<Clip, "start" | "end">,
): Stretch[] {
  const from = Math.round(start * captureSampleRate);
  const count = Math.floor(((end - start) * captureSampleRate) / frameSamples);
  const levels = Array.from({ length: count }, (_, frame) => {
    const at = from + frame * frameSamples;
    const sum = samples.subarray(at, at + frameSamples).reduce((all, one) => all + one * one, 0);
    return 10 * Math.log10(sum / frameSamples + 1e-10);
  });
  const loudDb = levels.toSorted((a, b) => a - b)[Math.floor(count * 0.95)] ?? 0;
  const loud = levels.flatMap((level, frame) => {
    const startMs = start * 1_000 + frame * frameMs;
    return level < loudDb - voiceRangeDb ? [] : [{ startMs, endMs: startMs + frameMs }];
  });
  const isLong = ({ startMs, endMs }: Stretch) => endMs - startMs >= voiceMinMs - tinyMs;
  return joinNear(joinNear(loud, tinyMs).filter(isLong), closureMs);
}

/** Rounding. */
const tinyMs = 1e-6;

/** Joins stretches, which are in order, with less than `gapMs` between them. */
function joinNear(stretches: readonly Stretch[], gapMs: number): Stretch[] {
  const joined: Stretch[] = [];
  for (const { startMs, endMs } of stretches) {
    const last = joined.at(-1);
    if (last !== undefined && startMs - last.endMs < gapMs)
      joined[joined.length - 1] = { startMs: last.startMs, endMs };
    else joined.push({ startMs, endMs });
  }
  return joined;
}

/**
 * The words of `clips`, in order. Where the clip does not say where each lies, that is an estimate: the voice of the clip is
 * shared out by the letters of its words. Only where the first one begins and the last one ends is measured.
 */
export function placeWords(samples: Float32Array, clips: readonly Clip[]): SpokenWord[] {
  return clips.flatMap((clip) => {
    const words = listNormalWords(clip.text);
    if (words.length === 0) return [];
    if (clip.words !== undefined) return placeAligned(clip.words);
    const voice = findVoice(samples, clip);
    const voiceMs = voice.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    const letters = words.reduce((sum, { length }) => sum + length, 0);
    let spokenMs = 0;
    return words.map((text, index) => {
      const startMs = toTime(voice, spokenMs, "start");
      spokenMs += (voiceMs * text.length) / letters;
      return {
        text,
        startMs,
        endMs: toTime(voice, spokenMs, "end"),
        hasStart: index === 0,
        hasEnd: index === words.length - 1,
      };
    });
  });
}

function placeAligned(words: NonNullable<Clip["words"]>): SpokenWord[] {
  return words.flatMap(({ text, start, end }) =>
    listNormalWords(text).map((word, index, all) => ({
      text: word,
      startMs: start * 1_000,
      endMs: end * 1_000,
      hasStart: index === 0,
      hasEnd: index === all.length - 1,
    })),
  );
}

/** The time up to which there are `voiceMs` of voice: before or behind a pause, where it is one. */
function toTime(voice: readonly Stretch[], voiceMs: number, side: "start" | "end"): number {
  let restMs = voiceMs;
  for (const [index, { startMs, endMs }] of voice.entries()) {
    const lengthMs = endMs - startMs;
    const isHere = side === "start" ? restMs < lengthMs - tinyMs : restMs <= lengthMs + tinyMs;
    if (isHere || index === voice.length - 1) return startMs + Math.min(restMs, lengthMs);
    restMs -= lengthMs;
  }
  return 0;
}
