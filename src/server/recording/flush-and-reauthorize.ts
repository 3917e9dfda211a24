import type { Services } from "#server/context.ts";
import { guestTicketLifetimeMs } from "#shared/limits.ts";
import { selectActivity, toActivity } from "./activity.ts";
import type { RecordingSettings } from "./authorize.ts";
import { flushGuestUsage } from "./guest-usage-ledger.ts";
import { hasCapacity, msPerMinute, planLimits } from "./plan-limits.ts";
import type { UsageResult, UsageWrite } from "./room/events.ts";
import { flushUsage } from "./usage-ledger.ts";

type LedgerServices = Pick<Services, "db" | "clock"> & { env: RecordingSettings };

/**
 * Writes a segment to the user's or the guest's ledger, and reads whether the recording may continue: the sign-in
 * session, the lecture, the allowance, and, for one that starts, the limits of concurrent recordings.
 */
export async function flushAndReauthorize(
  services: LedgerServices,
  write: UsageWrite,
): Promise<UsageResult> {
  const now = services.clock.now();
  const { wasActive, ...flushed } = await flushSegment(services, write, now);
  const isStarting = !write.closed && !wasActive;
  const refusal = isStarting ? await findRefusal(services, { ...write, ...flushed, now }) : null;
  return { ...flushed, refusal };
}

async function flushSegment({ db, env }: LedgerServices, write: UsageWrite, now: Date) {
  const { userId } = write.payer;
  if (userId !== null)
    return flushUsage(
      db,
      { ...write, payer: { userId } },
      { now, mode: env.billing.mode, isDemoVoice: env.standIns.speech },
    );
  return {
    ...(await flushGuestUsage(db, write, now)),
    hasGrown: false,
    limitMs: env.guestMinutesPerDay * msPerMinute,
    level: "guest" as const,
    signInExpiresAt: now.getTime() + guestTicketLifetimeMs,
    lectureExists: true,
  };
}

/** Runs after this recording was written, so that recordings that start together see each other. */
async function findRefusal(
  { db, env }: LedgerServices,
  {
    level,
    otherRecordings,
    ...recording
  }: Pick<UsageResult, "level" | "otherRecordings"> & { recordingId: string; now: Date },
): Promise<UsageResult["refusal"]> {
  if (otherRecordings >= planLimits[level].maxRecordings) return "too_many_recordings";
  const { streams } = env.speech;
  if (streams === null) return null;
  const activity = await selectActivity(db, { address: null }, recording);
  return hasCapacity(level, toActivity(activity).allRecordings, streams) ? null : "busy";
}
