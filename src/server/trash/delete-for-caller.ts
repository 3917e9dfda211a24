import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import type { SessionUser } from "#shared/account.ts";
import type { Deletion } from "#shared/trash.ts";
import { type DeletionTarget, deleteToTrash, listOpenRecordings } from "./deletion.ts";

/**
 * Deletes for the caller: recordings of what goes are stopped first. One that cannot be reached stops by
 * itself when its room next writes its time and finds the lecture gone.
 *
 * @throws AppError `not_found`
 */
export async function deleteForCaller(
  ctx: Pick<Context, "db" | "clock" | "logger" | "recordings"> & { user: SessionUser },
  what: DeletionTarget,
): Promise<Deletion> {
  const { db, clock, logger, recordings, user } = ctx;
  const userId = user.id;
  const ids = await listOpenRecordings(db, { userId, what });
  await Promise.all(
    ids.map((recordingId) =>
      recordings
        .stop({ recordingId, userId })
        .catch((error) =>
          logger.warn("recording_not_stopped", { recordingId, ...toLogFields(error) }),
        ),
    ),
  );
  const gone = await deleteToTrash(db, { userId, what, now: clock.now() });
  const { lectures, folders } = gone;
  logger.info("library_deleted", { userId, kind: what.kind, lectures, folders });
  return gone;
}
