import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import { findOpenRecordings } from "#server/recording/usage-ledger.ts";

type Services = Pick<Context, "db" | "logger" | "userEvents" | "recordings">;

/**
 * Tells the user's open pages and the rooms in which they record that sessions have ended. Never
 * throws: pages and rooms that are not reached ask by themselves, later.
 *
 * `recordingIds` names the rooms where the account, and with it the ledger, is gone by now.
 */
export async function announceEndedSessions(
  { db, logger, userEvents, recordings }: Services,
  userId: string,
  recordingIds?: readonly string[],
): Promise<void> {
  const notifyRooms = async () => {
    const ids = recordingIds ?? (await findOpenRecordings(db, userId));
    await Promise.all(ids.map((recordingId) => recordings.sessionsEnded({ recordingId, userId })));
  };
  await Promise.all([
    userEvents.sessionsEnded(userId),
    notifyRooms().catch((error) =>
      logger.warn("recordings_not_notified", { userId, ...toLogFields(error) }),
    ),
  ]);
}
