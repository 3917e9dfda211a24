import type { SpeechInterval } from "#client/sound/capture/voice-activity.ts";
import type { HypothesisWord } from "./speech-model.ts";
import { pauseMs } from "./window-cuts.ts";

/** Whisper often stops at a pause within a window, and leaves what follows without words. Times are ms on one clock. */

/** Speech of this length without a word gets a window of its own. */
const missedMinMs = 700;
/** Speech this near to a word may belong to it. */
export const wordReachMs = 200;
/** No word is longer: times of words beside a pause, or beside words that are missing, may be. */
const wordMaxMs = 1_500;

/** The first speech between two times that is long enough for words, and has none; null: there is none. */
export function findMissedSpeech(
  words: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
): SpeechInterval | null {
  let clockMs = fromMs;
  for (const word of [...words, null]) {
    const nextMs = word === null ? toMs : Math.min(toMs, word.startMs - wordReachMs);
    const missed = nextMs - clockMs >= missedMinMs ? findLongSpeech(speech, clockMs, nextMs) : null;
    if (missed !== null) return missed;
    if (word === null) break;
    const endMs = Math.min(word.endMs, word.startMs + wordMaxMs);
    clockMs = Math.max(clockMs, endMs + wordReachMs);
  }
  return null;
}

/** The first speech of `missedMinMs` between two times, pauses within it left out of account. */
function findLongSpeech(
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
): SpeechInterval | null {
  let stretch = { startMs: fromMs, endMs: fromMs };
  let speechMs = 0;
  for (const interval of speech) {
    const startMs = Math.max(fromMs, interval.startMs);
    const endMs = Math.min(toMs, interval.endMs);
    if (endMs <= startMs) continue;
    const isOther = startMs - stretch.endMs >= pauseMs;
    if (isOther && speechMs >= missedMinMs) break;
    if (isOther) speechMs = 0;
    stretch = { startMs: speechMs === 0 ? startMs : stretch.startMs, endMs };
    speechMs += endMs - startMs;
  }
  return speechMs >= missedMinMs ? stretch : null;
}
