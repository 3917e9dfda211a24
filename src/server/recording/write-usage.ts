import type { Services } from "#server/context.ts";
import { guestTicketLifetimeMs } from "#shared/limits.ts";
import { readActivity } from "./activity.ts";
import type { RecordingSettings } from "./authorize.ts";
import { flushGuestUsage } from "./guest-usage-ledger.ts";
import { hasRoom, services as levels, type ServiceLevel } from "./plan-limits.ts";
import type { UsageResult, UsageWrite } from "./room/events.ts";
import { flushUsage } from "./usage-ledger.ts";

const msPerMinute = 60_000;
const msPerHour = 3_600_000;

/** Writes a segment where its payer's time is kept. `grew`: a user has used more than before. */
export async function writeToLedger(
  { db, clock, env }: Pick<Services, "db" | "clock"> & { env: RecordingSettings },
  write: UsageWrite,
): Promise<UsageResult & { grew: boolean }> {
  const now = clock.now();
  const { userId } = write.payer;
  /** Asked when this recording is in the ledger: of several that begin together, none misses another. */
  const refusalOf = async (level: ServiceLevel, others: number) => {
    if (others >= levels[level].recordings) return "too_many_recordings";
    const { streams } = env.soniox;
    if (streams === null) return null;
    const { recordingId } = write;
    const { all } = await readActivity(db, { address: null }, { recordingId, now });
    return hasRoom(level, all, streams) ? null : "busy";
  };
  if (userId === null) {
    const { wasActive, ...flushed } = await flushGuestUsage(db, write, now);
    const begins = !write.closed && !wasActive;
    return {
      ...flushed,
      grew: false,
      limitMs: env.guestMinutesPerDay * msPerMinute,
      level: "guest",
      refusal: begins ? await refusalOf("guest", flushed.others) : null,
      sessionExpiresAt: now.getTime() + guestTicketLifetimeMs,
      lectureAlive: true,
    };
  }
  const { wasActive, tier, hourLimit, ...flushed } = await flushUsage(
    db,
    { ...write, payer: { userId } },
    { now, mode: env.billing.mode },
  );
  const begins = !write.closed && !wasActive;
  return {
    ...flushed,
    limitMs: hourLimit * msPerHour,
    level: tier,
    refusal: begins ? await refusalOf(tier, flushed.others) : null,
  };
}
