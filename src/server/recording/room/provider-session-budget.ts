/**
 * How many provider sessions a room may open, and how long one may stay open. The provider accepts 100
 * requests a minute from the whole site, and a limited number of concurrent streams.
 */

/** Sessions in any window, whether caused by a client, a failure or the provider's own limit. */
export const maxSessionsPerWindow = 6;
const sessionWindowMs = 60_000;
const sessionIntervalMs = 1_000;

/** A session is closed this long after the last charged audio. */
export const idleAfterMs = 20_000;
/** Stream time per charged audio time. */
const streamMsPerAudioMs = 8;
/** A session may always stay open for this long. */
export const minSessionMs = 5_000;

/** The earliest time for the next session, ms since the epoch. */
export function getNextSessionAt(times: readonly number[], now: number): number {
  // If the clock was set back, times in the future count as now.
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

/** A session may be opened now that is not necessary: half of the budget is left. */
export const hasSpareSession = (times: readonly number[], now: number): boolean =>
  getNextSessionAt(times, now) <= now &&
  filterRecentTimes(times, now).length < maxSessionsPerWindow / 2;

/** Session times after a session was opened at `now`, without expired ones. */
export function addSessionTime(times: readonly number[], now: number): number[] {
  return [...filterRecentTimes(times, now), now];
}

/**
 * Until when the room may keep a provider session open after `ms` of charged audio. Audio at one eighth of real time
 * keeps it open; slower audio lets it close.
 */
export function extendActiveUntil(before: number, ms: number, now: number): number {
  return Math.min(now + idleAfterMs, Math.max(before, now) + ms * streamMsPerAudioMs);
}

function filterRecentTimes(times: readonly number[], now: number): number[] {
  return times.map((at) => Math.min(at, now)).filter((at) => at > now - sessionWindowMs);
}
