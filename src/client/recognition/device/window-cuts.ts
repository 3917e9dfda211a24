import type { SpeechActivity, SpeechInterval } from "#client/sound/capture/voice-activity.ts";

/** At which pauses windows of speech end. */

/** Longest window. Below Whisper's 30 s, so that no word is cut off by rounding. */
export const windowMaxMs = 28_000;
/** Sound before and after speech, so that no short word and no soft consonant is lost. */
export const paddingMs = 300;
/** Silence after which an utterance has ended: all its words become final. */
export const pauseMs = 800;
/** Longer silence is left out of a window. */
export const skippedMs = 2_000;
/** A pause between words at which a full window may be cut is not nearer to its beginning. */
const cutMinMs = 10_000;

/** The sound that is there; times are ms on the take's own clock. */
export interface HeardSound {
  endMs: number;
  /** The take has ended, and all of it is there. */
  hasEnded: boolean;
  /** More of the take can be read now. */
  hasMore: boolean;
  activity: SpeechActivity;
  /** New sound that is worth another window while somebody speaks, ms. */
  stepMs: number;
}

/**
 * Where a window that begins at `startMs` may end: behind the last pause of the speaker, or the last gap, in its reach.
 * `speechEndMs`: the end of speech before that pause.
 */
export function findCuts(
  speech: readonly SpeechInterval[],
  { endMs, hasEnded }: HeardSound,
  startMs: number,
): { pauseEndMs: number | null; speechEndMs: number; gapEndMs: number | null } {
  let pauseEndMs: number | null = null;
  let speechEndMs = startMs;
  let gapEndMs: number | null = null;
  for (const [index, interval] of speech.entries()) {
    const nextMs = speech[index + 1]?.startMs;
    const silenceMs = (nextMs ?? (hasEnded ? Number.POSITIVE_INFINITY : endMs)) - interval.endMs;
    const cutMs = Math.min(interval.endMs + Math.min(paddingMs, silenceMs / 2), endMs);
    if (cutMs > startMs + windowMaxMs) break;
    if (silenceMs >= pauseMs) {
      pauseEndMs = cutMs;
      speechEndMs = interval.endMs;
    }
    if (nextMs !== undefined && cutMs - startMs >= cutMinMs) gapEndMs = cutMs;
    if (silenceMs >= skippedMs) break;
  }
  return { pauseEndMs, speechEndMs, gapEndMs };
}
