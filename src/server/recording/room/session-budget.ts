/**
 * How many provider sessions a room may open, and how long one may stay open. The provider takes 100
 * requests a minute from the whole site, and serves a limited number of streams at a time.
 */

/** Sessions in any window, whatever caused them: a client, a fault, the provider's own limit. */
export const maxSessionsPerWindow = 6;
const sessionWindowMs = 60_000;
const sessionIntervalMs = 1_000;

/** A session is closed this long after the last charged sound. */
export const idleAfterMs = 20_000;
/** Stream time that charged sound pays for, as a multiple of its length. */
const streamMsPerAudioMs = 8;
/** A session may stay open for this long, whatever sound opened it. */
export const minSessionMs = 5_000;

/** The earliest time at which another session may be opened, ms since the epoch. */
export function getNextSessionAt(times: readonly number[], now: number): number {
  // After a clock was put back, times that lie ahead count as now.
  const recent = filterRecentTimes(times, now);
  const last = recent.at(-1);
  const oldest = recent.at(-maxSessionsPerWindow);
  return Math.max(
    now,
    last === undefined ? 0 : last + sessionIntervalMs,
    oldest === undefined ? 0 : oldest + sessionWindowMs,
  );
}

export function isBudgetSpent(times: readonly number[], now: number): boolean {
  return filterRecentTimes(times, now).length >= maxSessionsPerWindow;
}

/** The times to keep after a session was opened at `now`. */
export function addSessionTime(times: readonly number[], now: number): number[] {
  return [...filterRecentTimes(times, now), now];
}

/**
 * Until when the room may hold a stream after `ms` of charged sound. Sound at an eighth of the speed of
 * speech keeps it open; what comes slower pays for less than the time between.
 */
export function extendPaidUntil(before: number, ms: number, now: number): number {
  return Math.min(now + idleAfterMs, Math.max(before, now) + ms * streamMsPerAudioMs);
}

function filterRecentTimes(times: readonly number[], now: number): number[] {
  return times.map((at) => Math.min(at, now)).filter((at) => at > now - sessionWindowMs);
}
