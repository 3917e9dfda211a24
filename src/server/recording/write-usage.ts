import type { Services } from "#server/context.ts";
import { guestTicketLifetimeMs } from "#shared/limits.ts";
import { selectActivity, toActivity } from "./activity.ts";
import type { RecordingSettings } from "./authorize.ts";
import { flushGuestUsage } from "./guest-usage-ledger.ts";
import { hasCapacity, msPerHour, msPerMinute, type PlanLevel, planLimits } from "./plan-limits.ts";
import type { UsageResult, UsageWrite } from "./room/events.ts";
import { flushUsage } from "./usage-ledger.ts";

/** Writes a segment to the user's or the guest's ledger. `hasGrown`: a user's total has increased. */
export async function writeToLedger(
  { db, clock, env }: Pick<Services, "db" | "clock"> & { env: RecordingSettings },
  write: UsageWrite,
): Promise<UsageResult & { hasGrown: boolean }> {
  const now = clock.now();
  const { userId } = write.payer;
  /** Runs after this recording was written, so that recordings that start together see each other. */
  const findRefusal = async (level: PlanLevel, otherRecordings: number) => {
    if (otherRecordings >= planLimits[level].maxRecordings) return "too_many_recordings";
    const { streams } = env.soniox;
    if (streams === null) return null;
    const { recordingId } = write;
    const activity = await selectActivity(db, { address: null }, { recordingId, now });
    const { allRecordings } = toActivity(activity);
    return hasCapacity(level, allRecordings, streams) ? null : "busy";
  };
  if (userId === null) {
    const { wasActive, ...flushed } = await flushGuestUsage(db, write, now);
    const isStarting = !write.closed && !wasActive;
    return {
      ...flushed,
      hasGrown: false,
      limitMs: env.guestMinutesPerDay * msPerMinute,
      level: "guest",
      refusal: isStarting ? await findRefusal("guest", flushed.otherRecordings) : null,
      sessionExpiresAt: now.getTime() + guestTicketLifetimeMs,
      lectureExists: true,
    };
  }
  const { wasActive, tier, hourLimit, ...flushed } = await flushUsage(
    db,
    { ...write, payer: { userId } },
    { now, mode: env.billing.mode },
  );
  const isStarting = !write.closed && !wasActive;
  return {
    ...flushed,
    limitMs: hourLimit * msPerHour,
    level: tier,
    refusal: isStarting ? await findRefusal(tier, flushed.otherRecordings) : null,
  };
}
