import { type SQL, sql } from "drizzle-orm";
import type { Services } from "#server/context.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { toLogFields } from "#server/errors.ts";
import { deriveWebhookKey, signMessage } from "./webhook-signature.ts";

/** Attempts to send one message: about three days. */
const attemptsMax = 8;
/** Failures one after the other that disable a webhook: about as many hours. */
export const failuresMax = 10;
/** Of attempts that fail in the same minutes of the clock, of whichever messages, one counts: the receiver is down, not gone. */
const failureMinutes = 10;
/** Messages that one call sends, of each account and of all; the next call continues. */
const limits = { account: 20, all: 200 };
/** A worker has six connections at once. */
const concurrentMax = 6;

type SenderServices = Pick<Services, "db" | "clock" | "logger" | "webhookSender" | "userEvents"> & {
  /** Of which the webhooks' keys are derived. */
  siteSecret: string;
};

interface Delivery extends Record<string, unknown> {
  id: string;
  webhook_id: string;
  user_id: string;
  url: string;
  body: string;
  attempts: number;
}

/**
 * Sends the messages that are due, of one account or of all, and returns how many have arrived. A message that fails is
 * due again an hour later, then after twice the time; of a message that has failed eight times nothing more is sent.
 */
export async function sendWebhooks(
  services: SenderServices,
  userId?: string,
): Promise<{ sent: number; failed: number }> {
  const { db, clock, logger } = services;
  const due = await claimDue(db, { now: clock.now(), userId });
  const counts = { sent: 0, failed: 0 };
  const next = due.values();
  const sendNext = async () => {
    for (const delivery of next) {
      const isSent = await send(services, delivery).catch((error) => {
        logger.warn("webhook_not_noted", { webhookId: delivery.webhook_id, ...toLogFields(error) });
        return false;
      });
      counts[isSent ? "sent" : "failed"] += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrentMax }, sendNext));
  return counts;
}

/** The same after the response, for what a procedure has just queued. A failure leaves it to the cron. */
export function sendWebhooksLater(
  ctx: Omit<SenderServices, "siteSecret"> & {
    runInBackground(work: Promise<void>): void;
    settings: { guestTicketSecret: string };
  },
  userId: string,
): void {
  const services = { ...ctx, siteSecret: ctx.settings.guestTicketSecret };
  ctx.runInBackground(
    sendWebhooks(services, userId).then(
      () => {},
      (error) => ctx.logger.warn("webhooks_not_sent", { userId, ...toLogFields(error) }),
    ),
  );
}

/**
 * Takes the messages that are due, and sets the time of their next attempt as if this one failed, so that no other call
 * sends them meanwhile.
 */
async function claimDue(
  db: Database,
  { now, userId }: { now: Date; userId: string | undefined },
): Promise<Delivery[]> {
  const ofUser: SQL = userId === undefined ? sql`true` : sql`webhook.user_id = ${userId}::uuid`;
  // Ten minutes less than whole hours: the cron runs each hour.
  const wait = sql`make_interval(mins => least(60 * power(2, delivery.attempts)::int, 24 * 60) - 10)`;
  const { rows } = await db.execute<Delivery>(sql`
    with due as (
      select id from webhook_deliveries where next_attempt_at <= ${toTimestamp(now)} and id in (
        select id from (
          select delivery.id, delivery.next_attempt_at,
            row_number() over (partition by webhook.user_id order by delivery.next_attempt_at) as n
          from webhook_deliveries delivery join webhooks webhook on webhook.id = delivery.webhook_id
          where delivery.next_attempt_at <= ${toTimestamp(now)} and webhook.disabled_at is null and ${ofUser}
        ) as of_account
        where n <= ${limits.account}::int order by next_attempt_at limit ${limits.all}::int
      )
      for update skip locked
    )
    update webhook_deliveries delivery
    set attempts = delivery.attempts + 1, next_attempt_at = ${toTimestamp(now)} + ${wait}
    from due, webhooks webhook
    where delivery.id = due.id and webhook.id = delivery.webhook_id
    returning delivery.id, delivery.webhook_id, webhook.user_id, webhook.url, delivery.body, delivery.attempts`);
  return rows;
}

async function send(services: SenderServices, delivery: Delivery): Promise<boolean> {
  const { db, clock, logger, webhookSender, userEvents, siteSecret } = services;
  const { id, webhook_id: webhookId, url, body, attempts } = delivery;
  const now = clock.now();
  const headers = signMessage(deriveWebhookKey(siteSecret, webhookId), { id, body, now });
  const status = await webhookSender.post(url, { headers, body });
  const isSent = status !== null && status >= 200 && status < 300;
  // 410: the receiver wants nothing more.
  const isGone = status === 410;
  const noted = sql`last_status = ${status}::int, last_attempt_at = ${toTimestamp(now)}`;
  const toPeriod = (time: SQL) =>
    sql`date_bin(make_interval(mins => ${failureMinutes}::int), ${time}, 'epoch')`;
  const isCounted = sql`failures = 0
    or ${toPeriod(sql`last_attempt_at`)} is distinct from ${toPeriod(toTimestamp(now))}`;
  const failures = sql`failures + case when ${isCounted} then 1 else 0 end`;
  // Another message may have disabled it meanwhile.
  const failed = sql`failures = ${failures},
    disabled_at = case when ${isGone} or ${failures} >= ${failuresMax}::int
      then coalesce(disabled_at, ${toTimestamp(now)}) else disabled_at end`;
  const [{ rows }] = await db.batch([
    db.execute<{ is_disabled: boolean }>(sql`
      update webhooks set ${noted}, ${isSent ? sql`failures = 0` : failed} where id = ${webhookId}::uuid
      returning disabled_at is not null as is_disabled`),
    db.execute(sql`
      delete from webhook_deliveries where id = ${id}::uuid and ${isSent || attempts >= attemptsMax}
        or webhook_id in (select id from webhooks where id = ${webhookId}::uuid and disabled_at is not null)`),
  ]);
  if (rows[0]?.is_disabled && !isSent) {
    logger.warn("webhook_disabled", { userId: delivery.user_id, webhookId, status });
    await userEvents.reportProfileChange(delivery.user_id);
  }
  return isSent;
}
