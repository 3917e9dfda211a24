import { captureSampleRate } from "#shared/limits.ts";
import { listNormalWords } from "./normal-words.ts";
import type { Clip } from "./streams.ts";
import type { Stretch } from "./stretches.ts";

/** A word that is said, and about where. */
export interface SpokenWord extends Stretch {
  /** As it is compared. */
  text: string;
  /** Of its clip: then its start, or its end, is measured and not estimated. */
  isFirst: boolean;
  isLast: boolean;
}

const frameMs = 10;
const frameSamples = (captureSampleRate * frameMs) / 1_000;
/** The voice of a reading is this far below its loud parts at most, dB. */
const voiceRangeDb = 30;
/** Shorter silence is within a word, as before a "t". */
const closureMs = 150;

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
  const voice: { startMs: number; endMs: number }[] = [];
  for (const [frame, level] of levels.entries()) {
    if (level < loudDb - voiceRangeDb) continue;
    const startMs = start * 1_000 + frame * frameMs;
    const last = voice.at(-1);
    if (last !== undefined && startMs - last.endMs < closureMs) last.endMs = startMs + frameMs;
    else voice.push({ startMs, endMs: startMs + frameMs });
  }
  return voice;
}

/**
 * The words of `clips`, in order. Where each lies is an estimate: the voice of its clip is shared out by the letters of its
 * words. Only where a clip's first word begins and its last ends is measured.
 */
export function placeWords(samples: Float32Array, clips: readonly Clip[]): SpokenWord[] {
  return clips.flatMap((clip) => {
    const words = listNormalWords(clip.text);
    if (words.length === 0) return [];
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
        isFirst: index === 0,
        isLast: index === words.length - 1,
      };
    });
  });
}

/** The time up to which there are `voiceMs` of voice: before or behind a pause, where it is one. */
function toTime(voice: readonly Stretch[], voiceMs: number, side: "start" | "end"): number {
  let restMs = voiceMs;
  for (const [index, { startMs, endMs }] of voice.entries()) {
    const lengthMs = endMs - startMs;
    const isHere = side === "start" ? restMs < lengthMs - 1e-6 : restMs <= lengthMs + 1e-6;
    if (isHere || index === voice.length - 1) return startMs + Math.min(restMs, lengthMs);
    restMs -= lengthMs;
  }
  return 0;
}
