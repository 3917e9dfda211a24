import { env, waitUntil } from "cloudflare:workers";
import { type Count, toIncrements } from "#server/metrics/series.ts";

/** How long counts wait for others before they are sent together, ms. */
const sendAfterMs = 1_000;
/** A request that was to send them has ended without doing so. */
const lostAfterMs = 60_000;

const waiting = new Map<string, number>();
let sendingUntil = 0;
let sentAt = 0;

/**
 * Counts something that has happened in this isolate, which shares no memory with others. `SiteMetrics` gets the sums
 * soon, and Workers Analytics Engine each count where that is bound.
 */
export function count(counted: Count): void {
  env.EVENTS?.writeDataPoint({
    indexes: [counted.name],
    blobs: Object.values(counted.labels),
    doubles: [counted.value],
  });
  addWaiting(toIncrements(counted));
}

/** Sends behind an answer what this request and those of the next second have counted. */
export function sendBehindAnswer(): void {
  const now = Date.now();
  if (waiting.size === 0 || now < sendingUntil) return;
  sendingUntil = now + lostAfterMs;
  waitUntil(scheduler.wait(sendAfterMs).then(sendCounts));
}

/** For objects, which a timer would keep awake: sends at once, but not twice in a second. */
export function sendAtOnce(): void {
  if (waiting.size > 0 && Date.now() >= sentAt + sendAfterMs) void sendCounts();
}

/** Sends what has been counted in this isolate. What cannot be sent waits for the next time. */
export async function sendCounts(): Promise<void> {
  const increments = [...waiting];
  waiting.clear();
  sendingUntil = 0;
  sentAt = Date.now();
  if (increments.length === 0) return;
  await getSiteMetrics()
    .add(increments)
    .catch(() => addWaiting(increments));
}

function addWaiting(increments: readonly [series: string, amount: number][]): void {
  for (const [series, amount] of increments)
    waiting.set(series, (waiting.get(series) ?? 0) + amount);
}

/** The object that has the sums of the site. */
export const getSiteMetrics = () => env.SITE_METRICS.getByName("site");
