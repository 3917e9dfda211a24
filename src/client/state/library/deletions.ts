import { type Translate, t } from "#client/i18n/library/index.ts";
import { recordingSession } from "#client/state/recording.ts";
import { trpc } from "#client/state/trpc.ts";
import type { Deletion } from "#shared/trash.ts";
import { type ChangeMessages, runChange } from "./changes.ts";

export const getOpenLectureId = (): string | null =>
  recordingSession.get()?.view.get().lecture?.id ?? null;

interface DeletionChange extends ChangeMessages {
  send: () => Promise<Deletion>;
  /** The open lecture, if it is deleted. The recording ends first; after a failure it is opened again. */
  openId: string | null;
  /** The lecture whose session ends, which may be in the background; by default the open one. */
  lectureId?: string;
  /** Updates the cache; returns the description of the toast. */
  onSuccess: (deletion: Deletion) => string;
}

/** Moves lectures or folders to the trash. The toast offers to restore them. */
export async function runDeletion(change: DeletionChange): Promise<boolean> {
  const { openId, lectureId = openId, successTitle, failureText } = change;
  if (openId !== null) await recordingSession.get()?.reset({ quiet: true });
  return runChange({
    successTitle,
    failureText,
    async send() {
      const deletion = await change.send();
      if (lectureId !== null) recordingSession.get()?.onLectureDeleted(lectureId);
      void removeDeletedCopies();
      const { id } = deletion;
      return {
        description: change.onSuccess(deletion),
        undo: id === null ? undefined : () => void restoreDeletion(id),
      };
    },
    async revert() {
      const session = recordingSession.get();
      // Not if another lecture is open by now.
      if (openId !== null && session?.view.get().lecture === null) await session.load(openId);
    },
  });
}

/** What this device stores of lectures that no longer exist. */
const removeDeletedCopies = () =>
  import("#client/state/stored/stored-library.ts").then(
    ({ syncStoredLectures }) => syncStoredLectures(),
    (failure: unknown) => console.warn("Deleted lectures are still stored", failure),
  );

const restoreDeletion = (id: string): Promise<boolean> =>
  runChange({
    send: async () => ({
      description: formatDeletedCounts(t, await trpc.trash.restore.mutate({ id })),
    }),
    successTitle: "trash.restored",
    failureText: "trash.restoreFailed",
  });

export function formatDeletedCounts(
  translate: Translate,
  counts: { lectures: number; folders: number },
): string {
  const lectures = translate("trash.lectures", { count: counts.lectures });
  const folders = translate("trash.folders", { count: counts.folders });
  if (counts.folders === 0) return lectures;
  return counts.lectures === 0 ? folders : translate("trash.both", { lectures, folders });
}

/** Deletes the sound of lectures that no longer exist. If that fails, it is done the next time. */
export async function deleteOrphanedSound(): Promise<void> {
  try {
    await (await import("#client/state/kept-sound.ts")).syncKeptLectures();
  } catch (failure) {
    console.warn("stored sound not compared with the library", failure);
  }
}
