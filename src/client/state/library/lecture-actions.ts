import { t } from "#client/i18n/library/index.ts";
import { trashRetentionMs } from "#shared/limits.ts";
import type { LibraryDeps } from "./library-deps.ts";
import { Standing } from "./pending-values.ts";
import { wayBack } from "./undo-deletion.ts";

/** Each resolves to whether the server took the change; what failed was told by a toast and taken back. */
export interface LectureActions {
  /** A blank title, and one that is the lecture's already, is ignored. */
  rename(id: string, title: string): Promise<boolean>;
  /** Into folder `folderId`; null: into none. */
  move(id: string, folderId: string | null): Promise<boolean>;
  /** To the trash. What is still recorded into it ends first. */
  remove(id: string): Promise<boolean>;
  /** All lectures to the trash; folders stay. */
  removeAll(): Promise<boolean>;
}

const daysKept = trashRetentionMs / 86_400_000;

export function makeLectureActions(deps: LibraryDeps): LectureActions {
  const { cache, changes, server, recording } = deps;
  const titles = new Standing<string>();
  const places = new Standing<string | null>();

  /** Runs `remove` after what is open has ended, if that goes too; a refusal opens it again. */
  async function remove(
    open: string | null,
    run: (reopen: () => Promise<void>) => Promise<boolean>,
  ) {
    if (open !== null) await recording.leave();
    return run(async () => {
      if (open !== null) await recording.comeBack(open);
    });
  }

  return {
    async rename(id, typed) {
      const title = typed.trim();
      const before = cache.lecture(id)?.title;
      if (title === "" || title === before) return false;
      const ends = titles.begin(id, before, title, (has) =>
        cache.changeLecture(id, (lecture) =>
          lecture.title === title ? { ...lecture, title: has } : lecture,
        ),
      );
      return changes.run({
        ...ends,
        show: () => cache.changeLecture(id, (lecture) => ({ ...lecture, title })),
        send: () => server.renameLecture({ id, title }),
        settle: () => {
          recording.renamed(id, title);
          return ends.settle();
        },
        done: "detail.renamed",
        failed: "detail.renameFailed",
      });
    },

    async move(id, folderId) {
      const before = cache.lecture(id)?.folderId;
      if (before === folderId) return false;
      const ends = places.begin(id, before, folderId, (has) =>
        cache.changeLecture(id, (lecture) =>
          lecture.folderId === folderId ? { ...lecture, folderId: has } : lecture,
        ),
      );
      return changes.run({
        ...ends,
        show: () => cache.changeLecture(id, (lecture) => ({ ...lecture, folderId })),
        send: () => server.moveLecture({ id, folderId }),
        done: "library.lectureMoved",
        failed: "library.lectureNotMoved",
      });
    },

    remove: (id) =>
      remove(recording.openId() === id ? id : null, (reopen) =>
        changes.run({
          send: () => server.deleteLecture(id),
          undo: reopen,
          settle: () => {
            recording.deleted(id);
            cache.changeLecture(id, () => null);
            return t("delete.kept", { days: daysKept });
          },
          back: wayBack(deps),
          done: "delete.done",
          failed: "delete.failed",
        }),
      ),

    removeAll() {
      const open = recording.openId();
      return remove(open, (reopen) =>
        changes.run({
          send: () => server.deleteAll(),
          undo: reopen,
          settle: () => {
            if (open !== null) recording.deleted(open);
            cache.clearLectures();
            return t("delete.keptAll", { days: daysKept });
          },
          back: wayBack(deps),
          done: "library.allDeleted",
          failed: "library.allNotDeleted",
        }),
      );
    },
  };
}
