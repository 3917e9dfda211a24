import { type Tier, tiers } from "#shared/plans.ts";

/** Who is served, last first. */
export const planLevels = ["guest", ...tiers] as const;
export type PlanLevel = "guest" | Tier;

interface PlanLimits {
  /** Recordings at the same time: of one user, for guests of one network address. */
  maxRecordings: number;
  /** Which budget of provider sessions a minute: LIMIT_STREAMS or LIMIT_PAID_STREAMS. */
  sessionBudget: "usual" | "paid";
  /** Share of the recogniser's streams up to which a recording of this level may begin. */
  streamShare: number;
  /** Silence after which the recogniser ends a sentence and its words become final, ms (500 to 3000). */
  endpointDelayMs: number;
  /** Pause before the recogniser is asked again when it was at its limit, ms. */
  rateLimitedRetryMs: number;
}

/**
 * What priority transcription means: room is kept for paid plans when the recogniser fills up, guests
 * are refused first, and paid sentences are final sooner. docs/operations.md has the same table.
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

/** A recording whose sound was last written this long ago takes no room. */
export const recordingActiveMs = 45_000;

/** Whether one more recording of `level` finds room where `active` are going on. `streams`: null for no limit. */
export function hasCapacity(level: PlanLevel, active: number, streams: number | null): boolean {
  return (
    streams === null || active < Math.max(1, Math.floor(streams * planLimits[level].streamShare))
  );
}
