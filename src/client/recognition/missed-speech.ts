import { pauseMs } from "#client/recognition/device/window-cuts.ts";
import type { SpeechInterval } from "#client/sound/capture/voice-activity.ts";

/** Speech without words; times are ms on one clock. */

interface Limits {
  /** Shorter speech may have no words. */
  minMs: number;
  /** Speech this near to a word may belong to it. */
  reachMs: number;
  /** Speech goes on behind a shorter pause. */
  pauseMs: number;
}

/** Speech this near to a word of a window may belong to it. */
export const wordReachMs = 200;
/** Whisper often stops at a pause within a window: what follows without words gets a window of its own. */
const windowLimits: Limits = { minMs: 700, reachMs: wordReachMs, pauseMs };
/** No word is longer: times of words beside a pause, or beside words that are missing, may be. */
const wordMaxMs = 1_500;

/** The first speech between two times that is long enough for words, and has none; null: there is none. */
export function findMissedSpeech(
  words: readonly SpeechInterval[],
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
  limits = windowLimits,
): SpeechInterval | null {
  const { minMs, reachMs } = limits;
  let clockMs = fromMs;
  for (const word of [...words, null]) {
    const nextMs = word === null ? toMs : Math.min(toMs, word.startMs - reachMs);
    const missed =
      nextMs - clockMs >= minMs ? findLongSpeech(speech, clockMs, nextMs, limits) : null;
    if (missed !== null) return missed;
    if (word === null) break;
    const endMs = Math.min(word.endMs, word.startMs + wordMaxMs);
    clockMs = Math.max(clockMs, endMs + reachMs);
  }
  return null;
}

/** The first speech of `minMs` between two times, pauses within it left out of account. */
function findLongSpeech(
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
  { minMs, pauseMs }: Limits,
): SpeechInterval | null {
  let stretch = { startMs: fromMs, endMs: fromMs };
  let speechMs = 0;
  for (const interval of speech) {
    const startMs = Math.max(fromMs, interval.startMs);
    const endMs = Math.min(toMs, interval.endMs);
    if (endMs <= startMs) continue;
    const isOther = startMs - stretch.endMs >= pauseMs;
    if (isOther && speechMs >= minMs) break;
    if (isOther) speechMs = 0;
    stretch = { startMs: speechMs === 0 ? startMs : stretch.startMs, endMs };
    speechMs += endMs - startMs;
  }
  return speechMs >= minMs ? stretch : null;
}
