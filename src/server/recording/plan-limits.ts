import { type Tier, tiers } from "#shared/plans.ts";

/** Who is served, last first. */
export const serviceLevels = ["guest", ...tiers] as const;
export type ServiceLevel = "guest" | Tier;

interface Service {
  /** Recordings at the same time: of one user, for guests of one network address. */
  recordings: number;
  /** Which budget of provider sessions a minute: LIMIT_STREAMS or LIMIT_PAID_STREAMS. */
  sessions: "usual" | "paid";
  /** Share of the recogniser's streams up to which a recording of this level may begin. */
  share: number;
  /** Silence after which the recogniser ends a sentence and its words become final, ms (500 to 3000). */
  endpointDelayMs: number;
  /** Pause before the recogniser is asked again when it was at its limit, ms. */
  limitedRetryMs: number;
}

/**
 * What priority transcription means: room is kept for paid plans when the recogniser fills up, guests
 * are refused first, and paid sentences are final sooner. docs/operations.md has the same table.
 */
export const services: Record<ServiceLevel, Service> = {
  guest: {
    recordings: 2,
    sessions: "usual",
    share: 0.6,
    endpointDelayMs: 1_500,
    limitedRetryMs: 4_000,
  },
  free: {
    recordings: 2,
    sessions: "usual",
    share: 0.8,
    endpointDelayMs: 1_200,
    limitedRetryMs: 2_000,
  },
  pro: { recordings: 3, sessions: "paid", share: 1, endpointDelayMs: 800, limitedRetryMs: 1_000 },
  premium: { recordings: 5, sessions: "paid", share: 1, endpointDelayMs: 800, limitedRetryMs: 500 },
};

/** A recording whose sound was last written this long ago takes no room. */
export const activeMs = 45_000;

/** Whether one more recording of `level` finds room where `active` are going on. `streams`: null for no limit. */
export function hasRoom(level: ServiceLevel, active: number, streams: number | null): boolean {
  return streams === null || active < Math.max(1, Math.floor(streams * services[level].share));
}
