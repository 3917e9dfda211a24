import { purgeExpired } from "#server/delete-expired-rows.ts";
import { toLogFields } from "#server/errors.ts";
import type { LogFields } from "#server/ports.ts";
import { sendWebhooks } from "#server/programs/send-webhooks.ts";
import { closeSegments } from "#server/recording/close-segments.ts";
import { scheduleOldRoomDeletions } from "#server/recording/schedule-old-room-deletions.ts";
import { refreshAllSearchIndexes } from "#server/search/refresh.ts";
import { purgeShares } from "#server/sharing/purge.ts";
import { expirePlans, recheckPlans } from "#server/subscriptions/reconcile.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import { sendCounts } from "#worker/metrics.ts";
import { consoleLogger, getServices, type WorkerServices } from "#worker/services.ts";

/** A job that can be repeated at any time, does a bounded amount of work, and returns what it did. */
export interface Job {
  /** Event name of its log line. */
  event: string;
  run(services: WorkerServices, now: Date): Promise<LogFields>;
}

export const jobs: readonly Job[] = [
  { event: "cron_plans_expired", run: expirePlans },
  {
    event: "cron_plans_rechecked",
    run: ({ env, ...services }, now) =>
      recheckPlans({ ...services, settings: { billing: env.billing } }, now),
  },
  { event: "cron_segments_closed", run: ({ db }, now) => closeSegments(db, now) },
  { event: "cron_purged", run: ({ db }, now) => purgeExpired(db, now) },
  { event: "cron_room_deletions_scheduled", run: scheduleOldRoomDeletions },
  { event: "cron_shares_purged", run: ({ db }, now) => purgeShares(db, now) },
  {
    event: "cron_webhooks_sent",
    run: ({ env, ...services }) => sendWebhooks({ ...services, siteSecret: env.guestTicketSecret }),
  },
  {
    event: "cron_library_maintained",
    run: async ({ db }, now) => ({
      ...(await purgeTrash(db, { now })),
      passages: await refreshAllSearchIndexes(db),
    }),
  },
];

/** As metrics name them: `purged` for `cron_purged`. */
const toJobName = ({ event }: Job): string => event.replace(/^cron_/, "");
export const jobNames: readonly string[] = jobs.map(toJobName);

/** Runs on the cron trigger of wrangler.toml. */
export const runCron = (bindings: Cloudflare.Env, now: Date) => runJobs(jobs, bindings, now);

/** Runs every job even when one fails, then throws the first error so that the run counts as failed. */
export async function runJobs(
  list: readonly Job[],
  bindings: Cloudflare.Env,
  now: Date,
): Promise<void> {
  const failures: unknown[] = [];
  const succeeded: string[] = [];
  for (const job of list) {
    const { event, run } = job;
    try {
      const services = getServices(bindings);
      services.logger.info(event, await run(services, now));
      succeeded.push(toJobName(job));
    } catch (error) {
      consoleLogger.error("cron_failed", { job: event, ...toLogFields(error) });
      failures.push(error);
    }
  }
  await bindings.SITE_METRICS.getByName("site")
    .noteCronRuns(succeeded, Date.now())
    .catch((error: unknown) => consoleLogger.warn("cron_runs_not_noted", toLogFields(error)));
  await sendCounts();
  if (failures.length > 0) throw failures[0];
}
