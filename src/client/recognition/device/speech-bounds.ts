import type { SpeechInterval } from "#client/sound/capture/voice-activity.ts";
import type { HypothesisWord } from "./speech-model.ts";

/**
 * The model's attention is a word's length off beside a pause, where the voice detector is not. Times are ms on one clock.
 */

/** A word that ends no further inside speech than this is the last one in it. */
const reachMs = 500;
/** The voice detector goes on for so long behind the end of a word (median of `pauses`, docs/benchmarks.md). */
const lateMs = 50;

/** Where somebody speaks, in order. */
interface Speech {
  speech: readonly SpeechInterval[];
  /** Where a voice is certain: without the breath, or the beginning of noise, that may follow it. */
  voice: readonly SpeechInterval[];
}

/**
 * Lets no word begin before its speech does, and the last one before a pause end where that ends. `words`: in order, without
 * overlap. `fromMs`, `toMs`: of the sound; it may divide speech.
 */
export function alignToSpeech(
  words: readonly HypothesisWord[],
  { speech, voice }: Speech,
  fromMs: number,
  toMs: number,
): HypothesisWord[] {
  const spoken = speech.map(({ startMs, endMs }) => {
    const last = voice.findLast((one) => one.startMs < endMs && one.endMs > startMs);
    return { startMs, endMs: Math.min(endMs, last?.endMs ?? endMs) };
  });
  const places = words.map((word) => findPlace(word, spoken));
  return words.map((word, index) => {
    const place = places[index] ?? -1;
    const interval = spoken[place];
    if (interval === undefined) return word;
    const startMs =
      interval.startMs < fromMs ? word.startMs : Math.max(word.startMs, interval.startMs);
    let { endMs } = word;
    if (places.lastIndexOf(place) === index && interval.endMs < toMs) {
      const lastMs = interval.endMs - lateMs;
      // The next word may lie in the pause.
      const isNear = places[index + 1] !== null && endMs >= lastMs - reachMs;
      endMs = isNear ? lastMs : Math.min(endMs, lastMs);
    }
    return { ...word, startMs, endMs: Math.max(startMs, endMs) };
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
