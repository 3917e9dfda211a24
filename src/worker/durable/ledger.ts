import type { Services } from "../../server/context.ts";
import type { UsageResult, UsageWrite } from "../../server/recording/events.ts";
import { flushGuestUsage } from "../../server/recording/guest-usage.ts";
import { flushUsage } from "../../server/recording/queries.ts";
import { services as levels } from "../../server/recording/service-levels.ts";
import { guestTicketLifetimeMs } from "../../shared/limits.ts";
import type { Env } from "../env.ts";

const msPerMinute = 60_000;
const msPerHour = 3_600_000;

/** Writes a segment where its payer's time is kept. `grew`: a user has used more than before. */
export async function writeToLedger(
  { db, clock, env }: Pick<Services, "db" | "clock"> & { env: Env },
  write: UsageWrite,
): Promise<UsageResult & { grew: boolean }> {
  const now = clock.now();
  const { userId } = write.payer;
  if (userId === null) {
    const { wasActive, ...flushed } = await flushGuestUsage(db, write, now);
    return {
      ...flushed,
      grew: false,
      limitMs: env.guestMinutesPerDay * msPerMinute,
      level: "guest",
      admitted: wasActive || flushed.others < levels.guest.recordings,
      sessionExpiresAt: now.getTime() + guestTicketLifetimeMs,
      lectureAlive: true,
    };
  }
  const { wasActive, tier, hourLimit, ...flushed } = await flushUsage(
    db,
    { ...write, payer: { userId } },
    { now, mode: env.billing.mode },
  );
  return {
    ...flushed,
    limitMs: hourLimit * msPerHour,
    level: tier,
    admitted: wasActive || flushed.others < levels[tier].recordings,
  };
}
