import { DurableObject } from "cloudflare:workers";
import type { SiteCounts } from "#server/metrics/format-metrics.ts";
import { type GivenTimes, OpeningPace, type OpeningQueue } from "#server/recording/opening-pace.ts";

const runsKey = "cron";
const sumsKey = "sums";
/** How long sums wait for others before they are stored together, ms. */
const storeEveryMs = 10_000;

/** The sums of the site, as they are stored. */
interface Sums {
  /** By series, as `toIncrements` names them. */
  counts: Record<string, number>;
  /** When they began at 0, ms since the epoch. */
  startedAt: number;
}

/**
 * The one object that adds up what all isolates have counted. The platform drops its memory after 10 s without a call,
 * and Prometheus asks less often, so the sums are stored. They are stored before they are shown: one that went back to
 * an older value would be taken for a counter that began again, and be counted twice.
 */
export class SiteMetrics extends DurableObject<Cloudflare.Env> {
  readonly #sums: Sums;
  #hasUnstored: boolean;
  #batchStoredAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    const stored = ctx.storage.kv.get<Sums>(sumsKey);
    this.#sums = stored ?? { counts: {}, startedAt: Date.now() };
    this.#hasUnstored = stored === undefined;
  }

  add(increments: readonly [series: string, amount: number][]): void {
    const { counts } = this.#sums;
    for (const [series, amount] of increments) counts[series] = (counts[series] ?? 0) + amount;
    this.#hasUnstored = true;
    const waitMs = this.#batchStoredAt + storeEveryMs - Date.now();
    if (waitMs <= 0) this.#storeBatch();
    // A timer keeps the object in memory until then.
    else this.#timer ??= setTimeout(() => this.#storeBatch(), waitMs);
  }

  #storeBatch(): void {
    this.#timer = null;
    this.#batchStoredAt = Date.now();
    this.#store();
  }

  #store(): void {
    if (!this.#hasUnstored) return;
    // The runtime holds the answer back until this is on disk.
    this.ctx.storage.kv.put(sumsKey, this.#sums);
    this.#hasUnstored = false;
  }

  async noteCronRuns(jobs: readonly string[], at: number): Promise<void> {
    const runs = Object.fromEntries(jobs.map((job) => [job, at]));
    await this.ctx.storage.put(runsKey, { ...(await this.#readRuns()), ...runs });
  }

  /** `jobs`: those that are expected to run, from now on if they never did. */
  async read(jobs: readonly string[]): Promise<SiteCounts> {
    const runs = await this.#readRuns();
    const isNew = jobs.filter((job) => !(job in runs));
    if (isNew.length > 0) await this.noteCronRuns(isNew, Date.now());
    this.#store();
    return { ...this.#sums, cronRuns: await this.#readRuns() };
  }

  async #readRuns(): Promise<Record<string, number>> {
    return (await this.ctx.storage.get<Record<string, number>>(runsKey)) ?? {};
  }
}

const paceKey = "pace";

/**
 * The one object that paces the sessions which all rooms open at the speech service. Rooms wait for longer than the
 * platform keeps the memory of an object without a call, so what it knows is stored with each reservation.
 */
export class SpeechOpenings extends DurableObject<Cloudflare.Env> {
  readonly #pace = new OpeningPace(this.ctx.storage.kv.get<GivenTimes>(paceKey));

  /** @returns ms that `room` waits before it opens a session */
  reserve(room: string, maxAMinute: number): number {
    const waitMs = this.#pace.reserve(room, maxAMinute, Date.now());
    this.ctx.storage.kv.put(paceKey, this.#pace.given);
    return waitMs;
  }

  readQueue(): OpeningQueue {
    return this.#pace.readQueue(Date.now());
  }
}
