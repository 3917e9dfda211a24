import { DurableObject } from "cloudflare:workers";
import type { SiteCounts } from "#server/metrics/format-metrics.ts";
import { OpeningPace, type OpeningQueue } from "#server/recording/opening-pace.ts";

const runsKey = "cron";

/**
 * The one object that adds up what all isolates have counted. The sums are only in memory: Prometheus expects that
 * counters begin again at 0, but would count a sum twice that went back to an older one. The cron's runs are stored,
 * because an hour lies between them.
 */
export class SiteMetrics extends DurableObject<Cloudflare.Env> {
  readonly #counts = new Map<string, number>();
  readonly #startedAt = Date.now();

  add(increments: readonly [series: string, amount: number][]): void {
    for (const [series, amount] of increments)
      this.#counts.set(series, (this.#counts.get(series) ?? 0) + amount);
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
    return {
      counts: Object.fromEntries(this.#counts),
      startedAt: this.#startedAt,
      cronRuns: await this.#readRuns(),
    };
  }

  async #readRuns(): Promise<Record<string, number>> {
    return (await this.ctx.storage.get<Record<string, number>>(runsKey)) ?? {};
  }
}

/**
 * The one object that paces the sessions which all rooms open at the speech service. What it knows is a minute old at
 * most, so it is only in memory: after a restart the service itself may refuse some sessions.
 */
export class SpeechOpenings extends DurableObject<Cloudflare.Env> {
  readonly #pace = new OpeningPace();

  /** @returns ms that `room` waits before it opens a session */
  reserve(room: string, maxAMinute: number): number {
    return this.#pace.reserve(room, maxAMinute, Date.now());
  }

  readQueue(): OpeningQueue {
    return this.#pace.readQueue(Date.now());
  }
}
