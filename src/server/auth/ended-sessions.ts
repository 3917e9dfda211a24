import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import { findOpenRecordings } from "#server/recording/usage-ledger.ts";

type Services = Pick<Context, "db" | "logger" | "userEvents" | "recordings">;

/**
 * Notifies the user's open tabs and recording rooms that sessions have ended. Never throws: tabs and rooms
 * that are not reached check by themselves later.
 *
 * @param recordingIds rooms to notify if the account, and with it the ledger, was already deleted.
 */
export async function announceEndedSessions(
  { db, logger, userEvents, recordings }: Services,
  userId: string,
  recordingIds?: readonly string[],
): Promise<void> {
  const notifyRooms = async () => {
    const ids = recordingIds ?? (await findOpenRecordings(db, userId));
    await Promise.all(
      ids.map((recordingId) => recordings.reportEndedSessions({ recordingId, userId })),
    );
  };
  await Promise.all([
    userEvents.reportEndedSessions(userId),
    notifyRooms().catch((error) =>
      logger.warn("recordings_not_notified", { userId, ...toLogFields(error) }),
    ),
  ]);
}
