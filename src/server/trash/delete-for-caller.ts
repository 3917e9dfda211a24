import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import { reportEndedAccess } from "#server/people/ended-access.ts";
import { sendWebhooksLater } from "#server/programs/send-webhooks.ts";
import type { SessionUser } from "#shared/account.ts";
import type { Deletion } from "#shared/trash.ts";
import { type DeletionTarget, deleteToTrash, listOpenRecordings } from "./deletion.ts";

/**
 * Moves lectures or folders to the trash, after stopping their recordings, and ends their shares. A room that cannot be
 * reached stops at its next flush, when it finds the lecture deleted.
 *
 * @throws AppError `not_found`
 */
export async function deleteForCaller(
  ctx: Context & { user: SessionUser },
  target: DeletionTarget,
): Promise<Deletion> {
  const { db, clock, logger, recordings, shareRooms, user } = ctx;
  const userId = user.id;
  const ids = await listOpenRecordings(db, { userId, target });
  await Promise.all(
    ids.map((recordingId) =>
      recordings
        .stop({ recordingId, userId })
        .catch((error) =>
          logger.warn("recording_not_stopped", { recordingId, ...toLogFields(error) }),
        ),
    ),
  );
  const { deletion, endedShareIds, endedAccess } = await deleteToTrash(db, {
    userId,
    target,
    now: clock.now(),
  });
  reportEndedAccess(ctx, endedAccess);
  await shareRooms.end(endedShareIds);
  if (endedShareIds.length > 0) sendWebhooksLater(ctx, userId);
  const { lectures, folders } = deletion;
  logger.info("library_deleted", { userId, kind: target.kind, lectures, folders });
  return deletion;
}
