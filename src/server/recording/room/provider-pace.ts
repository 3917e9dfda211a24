/**
 * How fast a room sends sound to its provider. Live sound is never slower than that; sound that has waited, because the
 * network was away or because it is a file's, is held back in the room and, by missing acknowledgements, in the browser.
 */

/**
 * Sound per time, in times real time. Soniox wants "real-time or near real-time speed" and may disconnect "prolonged
 * bursts", without figures (https://soniox.com/docs/stt/rt/error-handling, 2026-11-26); Deepgram says nothing of it.
 * `SPEECH_PACE` sets another one.
 */
export const providerPace = 2;
/** Sound that a session may get at once: "brief buffering" (same page). The sound of a short outage is not held back. */
export const burstMs = 10_000;
/** Sound that is held back is sent in portions of this length, so that it needs few timers. */
const portionMs = 1_000;
/** A session that has lasted this long shows that the provider takes its pace: the room tries the full one again. */
export const fullPaceAfterMs = 600_000;

/** Sound that a session may get at the time `at`, ms. */
interface PaceBudget {
  ms: number;
  at: number;
}

export const createPaceBudget = (now: number): PaceBudget => ({ ms: burstMs, at: now });

/** `slowdowns`: how often the provider has ended a session that had got sound faster than real time. */
export const getPace = (pace: number, slowdowns: number): number => 1 + (pace - 1) / 2 ** slowdowns;

export function refillPaceBudget({ ms, at }: PaceBudget, pace: number, now: number): PaceBudget {
  return { ms: Math.min(burstMs, ms + Math.max(0, now - at) * pace), at: now };
}

/** When the next portion of `waitingMs` of sound in chunks of `chunkMs` can be sent, ms since the epoch. */
export function getNextPortionAt(
  { ms, at }: PaceBudget,
  pace: number,
  { waitingMs, chunkMs }: { waitingMs: number; chunkMs: number },
): number {
  const portion = Math.max(chunkMs, Math.min(portionMs, waitingMs));
  return at + Math.max(0, portion - ms) / pace;
}
