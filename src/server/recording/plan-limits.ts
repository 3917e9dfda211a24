import { type Tier, tiers } from "#shared/plans.ts";

export const msPerMinute = 60_000;
export const msPerHour = 3_600_000;
const msPerDay = 86_400_000;

/** Lowest priority first. */
export const planLevels = ["guest", ...tiers] as const;
export type PlanLevel = "guest" | Tier;

interface PlanLimits {
  /** Concurrent recordings of one user, or of one network address for guests. */
  maxRecordings: number;
  /** Which rate limit for provider sessions applies: LIMIT_STREAMS or LIMIT_PAID_STREAMS. */
  sessionBudget: "usual" | "paid";
  /** A recording may start while less than this share of the provider's streams is in use. */
  streamShare: number;
  /** Silence after which the provider ends a sentence and finalizes its words, ms (500 to 3000). */
  endpointDelayMs: number;
  /** Pause before a retry when the provider was at its limit, ms. */
  rateLimitedRetryMs: number;
}

/**
 * Defines priority transcription: when the provider's streams run out, capacity is reserved for paid
 * plans and guests are refused first; paid sentences become final sooner. docs/operations.md has the same
 * table.
 */
export const planLimits: Record<PlanLevel, PlanLimits> = {
  guest: {
    maxRecordings: 2,
    sessionBudget: "usual",
    streamShare: 0.6,
    endpointDelayMs: 1_500,
    rateLimitedRetryMs: 4_000,
  },
  free: {
    maxRecordings: 2,
    sessionBudget: "usual",
    streamShare: 0.8,
    endpointDelayMs: 1_200,
    rateLimitedRetryMs: 2_000,
  },
  pro: {
    maxRecordings: 3,
    sessionBudget: "paid",
    streamShare: 1,
    endpointDelayMs: 800,
    rateLimitedRetryMs: 1_000,
  },
  premium: {
    maxRecordings: 5,
    sessionBudget: "paid",
    streamShare: 1,
    endpointDelayMs: 800,
    rateLimitedRetryMs: 500,
  },
};

/** When a recording that found no free stream tries again. */
export const busyRetryAfterSeconds = 15;

/** A recording counts as active for this long after its last flush. */
export const recordingActiveMs = 45_000;

/** Whether one more recording of `level` may start beside `active` others; `streams` is null for no limit. */
export function hasCapacity(level: PlanLevel, active: number, streams: number | null): boolean {
  return (
    streams === null || active < Math.max(1, Math.floor(streams * planLimits[level].streamShare))
  );
}

/** Of the last call. A room asks for its period with every chunk, and to write a date takes as long as a tenth of a step. */
let latestDay = { number: Number.NaN, day: "", month: "" };

/**
 * First day, as `YYYY-MM-DD`, of the allowance's period at `now`: the calendar month (UTC) for a user, the
 * day (UTC) for a guest.
 */
export function getPeriod(now: number, payer: { userId: string | null }): string {
  const number = Math.floor(now / msPerDay);
  if (latestDay.number !== number) {
    const day = new Date(now).toISOString().slice(0, 10);
    latestDay = { number, day, month: `${day.slice(0, 7)}-01` };
  }
  return payer.userId === null ? latestDay.day : latestDay.month;
}
