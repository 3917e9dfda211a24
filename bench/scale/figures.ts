import { autoSaveDelayMs, previewIntervalMs } from "#shared/limits.ts";

/** A number and where it comes from: a measurement of this repository, or a page that says it. */
export interface Figure {
  value: number;
  unit: string;
  source: string;
}

const figure = (value: number, unit: string, source: string): Figure => ({ value, unit, source });

/** What the program needs. "benchmarks.md" names the table. */
export const measured = {
  chunkMs: figure(260, "ms of sound a chunk", "src/shared/opus.ts"),
  providerMessages: figure(
    4,
    "messages a second of the service",
    "benchmarks.md, a shared recording: about as many reach a reader",
  ),
  readerCpu: figure(9.4, "CPU-ms a minute and reader", "benchmarks.md, a shared recording, 1,000"),
  readerMemory: figure(323, "KiB a reader", "benchmarks.md, a shared recording, 1,000"),
  rows: figure(450, "rows a recorded hour", "benchmarks.md, the library: 375 rows in 50 minutes"),
  rowsKb: figure(163.4, "KB of rows a lecture, with their key", "benchmarks.md, the library"),
  passagesKb: figure(282.4, "KB of passages' words a lecture", "benchmarks.md, the library"),
  indexKb: figure(54.6, "KB of the index of words a lecture", "benchmarks.md, the library"),
  passages: figure(14.1, "passages a lecture", "benchmarks.md, the library"),
  callTrips: figure(2, "round trips a call", "tests/worker/http/round-trips.test.ts"),
  tripMs: figure(1.4, "ms of the database a round trip", "benchmarks.md, an auto-save, p50"),
  flushSeconds: figure(
    18,
    "s between two ledger writes",
    "benchmarks.md, what a room's CPU time is spent on",
  ),
  passagesASecond: figure(
    79,
    "passages indexed a second",
    "loading of bench:ask beside other programs: 500 transcripts in 89 s",
  ),
} satisfies Record<string, Figure>;

/** Pages of 2026-11-26. */
export const limits = {
  sonioxStreams: figure(
    10,
    "streams at once",
    "soniox.com/docs/stt/rt/limits-and-quotas; more on request",
  ),
  sonioxOpens: figure(
    100,
    "streams opened a minute",
    "soniox.com/docs/stt/rt/limits-and-quotas; more on request",
  ),
  neonConnections: figure(
    3_600,
    "statements at once",
    "neon.com/docs/connect/connection-pooling: 90 % of 4,000 from 9 CU on",
  ),
  neonUnits: figure(
    56,
    "CU of the largest compute, a core each",
    "neon.com/docs/connect/connection-pooling",
  ),
  objectMemory: figure(
    128,
    "MB of an object",
    "developers.cloudflare.com/durable-objects/platform/limits",
  ),
  shareReaders: figure(1_000, "readers of one share", "src/shared/share.ts, Premium"),
} satisfies Record<string, Figure>;

/** US dollars. */
export const prices = {
  soniox: figure(
    0.12,
    "$ an hour of sound, live",
    "soniox.com/speech-to-text/features/diarization",
  ),
  objectRequests: figure(
    0.15,
    "$ a million requests to objects",
    "developers.cloudflare.com/durable-objects/platform/pricing",
  ),
  objectDuration: figure(
    12.5,
    "$ a million GB-s of an object",
    "developers.cloudflare.com/durable-objects/platform/pricing",
  ),
  messagesARequest: figure(
    20,
    "received messages count as one request",
    "developers.cloudflare.com/durable-objects/platform/changelog",
  ),
  neonUnitHour: figure(0.222, "$ a CU-hour", "neon.com/docs/introduction/plans, Scale"),
  neonStorage: figure(0.35, "$ a GB-month", "neon.com/docs/introduction/plans"),
} satisfies Record<string, Figure>;

/** Calls and statements of an hour that is recorded and translated by the site. */
export function countHourlyCalls() {
  const { rows, flushSeconds, callTrips } = measured;
  const translations = rows.value;
  // A sentence that is spoken is translated every few seconds until it ends.
  const previews = Math.max(0, 3_600_000 / previewIntervalMs - rows.value);
  // A row is saved when it is final and again with its translation, not more often than the delay.
  const saves = Math.min(2 * rows.value, 3_600_000 / autoSaveDelayMs);
  const flushes = 3_600 / flushSeconds.value;
  const roundTrips = (translations + previews + saves) * callTrips.value + flushes;
  return { translations, previews, saves, flushes, roundTrips };
}
