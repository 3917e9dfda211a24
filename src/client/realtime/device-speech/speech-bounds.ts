import type { SpeechInterval } from "#client/realtime/audio/voice-activity.ts";
import type { HypothesisWord } from "./speech-model.ts";

/** Attention places words beside a pause less well than the voice detector finds its ends. Times are ms on one clock. */

/** A word that begins no further inside speech than this is the first one in it. */
const reachMs = 500;
/** The voice detector goes on for so long behind the end of a word (half of those of `pauses`, `docs/benchmarks.md`). */
const lateMs = 150;

/**
 * Lets the first word after a pause begin, and the last one before it end, where the speech does. `words`: in order,
 * without overlap. `speech`: where somebody speaks, in order. `fromMs`, `toMs`: of the sound; it may divide speech.
 */
export function alignToSpeech(
  words: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
): HypothesisWord[] {
  const places = words.map((word) => findPlace(word, speech));
  let clockMs = Number.NEGATIVE_INFINITY;
  return words.map((word, index) => {
    let { startMs, endMs } = word;
    const place = places[index] ?? -1;
    const interval = speech[place];
    if (interval !== undefined) {
      const isFirst = places.indexOf(place) === index && interval.startMs >= fromMs;
      const isLast = places.lastIndexOf(place) === index && interval.endMs < toMs;
      if (isFirst && startMs <= interval.startMs + reachMs)
        startMs = Math.max(clockMs, interval.startMs);
      if (isLast) endMs = Math.min(endMs, interval.endMs - lateMs);
    }
    clockMs = Math.max(startMs, endMs);
    return { ...word, startMs, endMs: clockMs };
  });
}

/** Index of the speech that has most of the word; null: none has. */
function findPlace({ startMs, endMs }: HypothesisWord, speech: readonly SpeechInterval[]) {
  let [place, most]: [number | null, number] = [null, 0];
  for (const [index, one] of speech.entries()) {
    const shared = Math.min(one.endMs, endMs) - Math.max(one.startMs, startMs);
    if (shared > most) [place, most] = [index, shared];
  }
  return place;
}
