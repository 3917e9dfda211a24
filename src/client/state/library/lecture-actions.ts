import { t } from "#client/i18n/library/index.ts";
import { recordingSession } from "#client/state/recording.ts";
import { trpc } from "#client/state/trpc.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { trashRetentionDays } from "#shared/limits.ts";
import { getCachedLecture, removeCachedLectures, updateCachedLecture } from "./cache.ts";
import { createFieldChange } from "./changes.ts";
import { getOpenLectureId, runDeletion } from "./deletions.ts";

// Promises resolve to whether the server accepted the change. A failed change is reverted, and a toast reports it.

const changeTitle = createFieldChange<Pick<LectureListItem, "title" | "titleSource">>({
  read: (id) => getCachedLecture(id) ?? undefined,
  write: (id, { title, titleSource }) => updateCachedLecture(id, { title, titleSource }),
  isSame: (one, other) => one.title === other.title,
  async send(id, { title }) {
    await trpc.lectures.rename.mutate({ id, title });
    recordingSession.get()?.onLectureRenamed(id, title);
  },
  successTitle: "lecture.renamed",
  failureText: "lecture.renameFailed",
});

export const renameLecture = (id: string, title: string): Promise<boolean> =>
  changeTitle(id, { title, titleSource: "person" });

/** Moves a lecture into a folder; null: out of all folders. */
export const moveLecture = createFieldChange<string | null>({
  read: (id) => getCachedLecture(id)?.folderId,
  write: (id, folderId) => updateCachedLecture(id, { folderId }),
  async send(id, folderId) {
    await trpc.lectures.move.mutate({ id, folderId });
    recordingSession.get()?.onLectureMoved(id, folderId);
  },
  successTitle: "library.lectureMoved",
  failureText: "library.lectureNotMoved",
});

export const deleteLecture = (id: string): Promise<boolean> =>
  runDeletion({
    openId: getOpenLectureId() === id ? id : null,
    lectureId: id,
    send: () => trpc.lectures.delete.mutate({ id }),
    onSuccess() {
      removeCachedLectures((lecture) => lecture.id === id);
      return t("delete.restorable", { days: trashRetentionDays });
    },
    successTitle: "delete.done",
    failureText: "delete.failed",
  });

/** Those that were deleted before one that failed stay deleted, and are not listed any more. */
export const deleteLectures = (ids: readonly string[]): Promise<boolean> => {
  const openId = getOpenLectureId();
  let deleted = 0;
  return runDeletion({
    openId: openId !== null && ids.includes(openId) ? openId : null,
    async send() {
      for (const id of ids) {
        await trpc.lectures.delete.mutate({ id });
        recordingSession.get()?.onLectureDeleted(id);
        removeCachedLectures((lecture) => lecture.id === id);
        deleted += 1;
      }
      // Each of them is restored in the trash.
      return { id: null, lectures: deleted, folders: 0 };
    },
    onSuccess: () => t("delete.restorableAll", { days: trashRetentionDays }),
    successTitle: "delete.done",
    failureText: "delete.failed",
  });
};

/** Folders stay. */
export const deleteAllLectures = (): Promise<boolean> =>
  runDeletion({
    openId: getOpenLectureId(),
    // The dialog has had the user type the confirmation.
    send: () => trpc.lectures.deleteAll.mutate({ confirmation: "delete all" }),
    onSuccess() {
      removeCachedLectures(() => true);
      return t("delete.restorableAll", { days: trashRetentionDays });
    },
    successTitle: "library.allDeleted",
    failureText: "library.allNotDeleted",
  });
