import { t } from "#client/i18n/library/index.ts";
import { trpc } from "#client/state/trpc.ts";
import {
  getCachedFolders,
  getCachedLecture,
  removeCachedLectures,
  updateCachedFolders,
} from "./cache.ts";
import { createFieldChange, runChange } from "./changes.ts";
import { getOpenLectureId, runDeletion } from "./deletions.ts";
import { buildTree, listSubtree } from "./folder-tree.ts";

// Promises resolve to whether the server accepted the change. A failed change is reverted, and a toast reports it.

const findFolder = (id: string) => getCachedFolders()?.folders.find((folder) => folder.id === id);

const updateCachedFolder = (
  id: string,
  change: { name: string } | { parentFolderId: string | null },
) =>
  updateCachedFolders((folders) =>
    folders.map((folder) => (folder.id === id ? { ...folder, ...change } : folder)),
  );

const removeCachedFolders = (ids: readonly string[]) =>
  updateCachedFolders((folders) => folders.filter(({ id }) => !ids.includes(id)));

/** Creates a folder in `parentFolderId` (null: at the top level). Returns its id at once. */
export function createFolder(parentFolderId: string | null, name: string): string {
  const id = crypto.randomUUID();
  const folder = { id, name, parentFolderId, createdAt: new Date().toISOString(), lectures: 0 };
  void runChange({
    apply: () => updateCachedFolders((folders) => [...folders, folder]),
    async send() {
      await trpc.folders.create.mutate({ id, name, parentFolderId });
      return undefined;
    },
    revert: () => removeCachedFolders([id]),
    successTitle: "library.folderCreated",
    failureText: "library.folderNotCreated",
  });
  return id;
}

const updateMessages = {
  successTitle: "library.folderUpdated",
  failureText: "library.folderNotUpdated",
} as const;

export const renameFolder = createFieldChange<string>({
  read: (id) => findFolder(id)?.name,
  write: (id, name) => updateCachedFolder(id, { name }),
  send: (id, name) => trpc.folders.rename.mutate({ id, name }),
  ...updateMessages,
});

/** Moves into another folder, or to the top level (null). `canMove` says where it can go. */
export const moveFolder = createFieldChange<string | null>({
  read: (id) => findFolder(id)?.parentFolderId,
  write: (id, parentFolderId) => updateCachedFolder(id, { parentFolderId }),
  async send(id, parentFolderId) {
    await trpc.folders.move.mutate({ id, parentFolderId });
    void refreshTerms();
  },
  ...updateMessages,
});

/** Lectures of a folder that was moved inherit the terms of other folders than before. */
const refreshTerms = () =>
  import("./glossary.ts").then(
    ({ refreshGlossaries }) => refreshGlossaries(),
    (failure: unknown) => console.warn("Terms were not read again", failure),
  );

/** Moves the folder and its contents to the trash. */
export async function deleteFolder(id: string): Promise<boolean> {
  const list = getCachedFolders();
  const ids = list ? listSubtree(buildTree(list), id).map((node) => node.id) : [];
  return runDeletion({
    openId: await findOpenLecture(ids),
    send: () => trpc.folders.delete.mutate({ id }),
    onSuccess({ lectures }) {
      removeCachedFolders(ids);
      removeCachedLectures(({ folderId }) => folderId !== null && ids.includes(folderId));
      return t("library.lecturesDeleted", { count: lectures });
    },
    successTitle: "library.folderDeleted",
    failureText: "library.folderNotDeleted",
  });
}

/** Id of the open lecture, if it is in one of `folders`. */
async function findOpenLecture(folders: readonly string[]): Promise<string | null> {
  const id = getOpenLectureId();
  if (id === null) return null;
  // A lecture that is not stored yet is in no folder.
  // Without the query client, which waits for the network while the browser is offline.
  const lecture =
    getCachedLecture(id) ?? (await trpc.lectures.item.query({ id }).catch(() => null));
  return lecture?.folderId && folders.includes(lecture.folderId) ? id : null;
}
