import { t } from "#client/i18n/library/index.ts";
import { trashRetentionMs } from "#shared/limits.ts";
import type { LibraryDeps } from "./library-deps.ts";
import { PendingValues } from "./pending-values.ts";
import { createUndoDeletion } from "./undo-deletion.ts";

/** Each promise resolves to whether the server accepted the change. A failed change is reverted, and a toast reports it. */
export interface LectureActions {
  /** Ignores a blank or unchanged title. */
  rename(id: string, title: string): Promise<boolean>;
  /** `folderId` null: out of all folders. */
  move(id: string, folderId: string | null): Promise<boolean>;
  /** Moves the lecture to the trash. A recording into it ends first. */
  remove(id: string): Promise<boolean>;
  /** Moves all lectures to the trash; folders stay. */
  removeAll(): Promise<boolean>;
}

const daysKept = trashRetentionMs / 86_400_000;

export function createLectureActions(deps: LibraryDeps): LectureActions {
  const { cache, changes, server, recording } = deps;
  const titles = new PendingValues<string>();
  const folderIds = new PendingValues<string | null>();

  /** Closes the open lecture if it is among those removed, then calls `run`, which reopens it on failure. */
  async function closeAndRun(
    open: string | null,
    run: (reopen: () => Promise<void>) => Promise<boolean>,
  ) {
    if (open !== null) await recording.close();
    return run(async () => {
      if (open !== null) await recording.reopen(open);
    });
  }

  return {
    async rename(id, newTitle) {
      const title = newTitle.trim();
      const before = cache.getLecture(id)?.title;
      if (title === "" || title === before) return false;
      const pending = titles.track(id, before, title, (confirmed) =>
        cache.changeLecture(id, (lecture) =>
          lecture.title === title ? { ...lecture, title: confirmed } : lecture,
        ),
      );
      return changes.run({
        ...pending,
        apply: () => cache.changeLecture(id, (lecture) => ({ ...lecture, title })),
        send: () => server.renameLecture({ id, title }),
        onSuccess: () => {
          recording.notifyRenamed(id, title);
          return pending.onSuccess();
        },
        successTitle: "lecture.renamed",
        failureText: "lecture.renameFailed",
      });
    },

    async move(id, folderId) {
      const before = cache.getLecture(id)?.folderId;
      if (before === folderId) return false;
      const pending = folderIds.track(id, before, folderId, (confirmed) =>
        cache.changeLecture(id, (lecture) =>
          lecture.folderId === folderId ? { ...lecture, folderId: confirmed } : lecture,
        ),
      );
      return changes.run({
        ...pending,
        apply: () => cache.changeLecture(id, (lecture) => ({ ...lecture, folderId })),
        send: () => server.moveLecture({ id, folderId }),
        successTitle: "library.lectureMoved",
        failureText: "library.lectureNotMoved",
      });
    },

    remove: (id) =>
      closeAndRun(recording.getOpenId() === id ? id : null, (reopen) =>
        changes.run({
          send: () => server.deleteLecture(id),
          revert: reopen,
          onSuccess: () => {
            recording.notifyDeleted(id);
            cache.changeLecture(id, () => null);
            return t("delete.restorable", { days: daysKept });
          },
          createUndo: createUndoDeletion(deps),
          successTitle: "delete.done",
          failureText: "delete.failed",
        }),
      ),

    removeAll() {
      const open = recording.getOpenId();
      return closeAndRun(open, (reopen) =>
        changes.run({
          send: () => server.deleteAll(),
          revert: reopen,
          onSuccess: () => {
            if (open !== null) recording.notifyDeleted(open);
            cache.clearLectures();
            return t("delete.restorableAll", { days: daysKept });
          },
          createUndo: createUndoDeletion(deps),
          successTitle: "library.allDeleted",
          failureText: "library.allNotDeleted",
        }),
      );
    },
  };
}
