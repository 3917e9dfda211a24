import { createRandom } from "#bench/library-data.ts";
import { getRetryDelay } from "#client/recognition/room/reconnect-decision.ts";
import { OpeningPace } from "#server/recording/opening-pace.ts";
import { hasCapacity, type PlanLevel, planLevels } from "#server/recording/plan-limits.ts";

/** As `requestLimitMs` of the room. */
const requestLimitSeconds = 20;
/** Shares of the plans among those who record. */
const mix: Record<PlanLevel, number> = { guest: 0.1, free: 0.6, pro: 0.2, premium: 0.1 };

export interface Site {
  streams: number;
  opensAMinute: number;
  /** Each room has a time of its own, by `OpeningPace`; otherwise every room tries again by itself. */
  isPaced: boolean;
}

interface Start {
  id: string;
  level: PlanLevel;
  at: number;
  failures: number;
  openedAt: number | null;
}

export interface StartTimes {
  /** Of all recordings, those that got a stream within the time simulated. */
  opened: number;
  /** Seconds from Record to the stream: of those that got one. Sound is kept meanwhile. */
  p50: number;
  p95: number;
  /** Of those that got a stream: that came before another one of the same plan, and were opened after it by 10 s or more. */
  overtaken: number;
  /** Streams that were opened in the busiest minute. */
  busiestMinute: number;
}

/**
 * Lectures that begin at the full hour: `count` people press Record within some minutes around it, and keep on for 50
 * minutes. Admission, the share of each plan, the pace of openings and the delays before a retry are those of the
 * program. The service refuses what exceeds its limits, and counts refused sessions among those of a minute.
 */
export function simulateStarts(count: number, site: Site, seed = 7): StartTimes {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const chooseLevel = () => {
    let left = random();
    for (const level of planLevels) {
      left -= mix[level];
      if (left < 0) return level;
    }
    return "premium";
  };
  const starts: Start[] = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    level: chooseLevel(),
    at: Math.max(0, 300 + 120 * normal()),
    failures: 0,
    openedAt: null,
  }));
  starts.sort((a, b) => a.at - b.at);
  const opened: number[] = [];
  const pace = new OpeningPace();
  /** Attempts in each second; refused ones count for the service's limit too. */
  const attempted: number[] = [];
  const seconds: Start[][] = Array.from({ length: 300 + 50 * 60 }, () => []);
  for (const start of starts) seconds[Math.floor(start.at)]?.push(start);
  for (const [second, attempts] of seconds.entries()) {
    let recent = attempted.slice(-60).reduce((sum, one) => sum + one, 0);
    const before = recent;
    for (const start of attempts) {
      if (!hasCapacity(start.level, opened.length, site.streams)) {
        // The page waits for the room.
        const delay = Math.max(5_000, getRetryDelay(start.failures, random())) / 1_000;
        start.failures += 1;
        seconds[second + Math.ceil(delay)]?.push(start);
        continue;
      }
      if (site.isPaced) {
        const waitMs = pace.reserve(start.id, site.opensAMinute, second * 1_000);
        if (waitMs > 0) {
          seconds[second + Math.ceil(waitMs / 1_000)]?.push(start);
          continue;
        }
      }
      recent += 1;
      if (recent > site.opensAMinute) {
        // The room waits for the service.
        seconds[second + Math.ceil(requestLimitSeconds * (0.5 + random() / 2))]?.push(start);
      } else {
        opened.push(second);
        start.openedAt = Math.max(second, start.at);
      }
    }
    attempted.push(recent - before);
  }
  const done = starts.filter(({ openedAt }) => openedAt !== null);
  const waits = done.map(({ at, openedAt }) => (openedAt ?? at) - at).sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? Number.NaN;
  return {
    opened: done.length,
    p50: at(0.5),
    p95: at(0.95),
    overtaken: countOvertaken(done),
    busiestMinute: countBusiestMinute(opened),
  };
}

function countBusiestMinute(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while ((times[first] ?? time) < time - 60) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Starts before which, ten seconds or more, one of the same plan was opened that came later. */
function countOvertaken(starts: readonly Start[]): number {
  let count = 0;
  for (const level of planLevels) {
    let earliest = Number.POSITIVE_INFINITY;
    const latestFirst = starts.filter((start) => start.level === level).sort((a, b) => b.at - a.at);
    for (const { openedAt } of latestFirst) {
      if (openedAt === null) continue;
      if (openedAt > earliest + 10) count += 1;
      earliest = Math.min(earliest, openedAt);
    }
  }
  return count;
}
