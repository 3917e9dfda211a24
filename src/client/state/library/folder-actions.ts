import { t } from "#client/i18n/library/index.ts";
import { buildTree, canMoveFolder, listSubtree } from "./folder-tree.ts";
import type { LibraryDeps } from "./library-deps.ts";
import { PendingValues } from "./pending-values.ts";
import { createUndoDeletion } from "./undo-deletion.ts";

/** Promises resolve to whether the server accepted the change. A failed change is reverted, and a toast reports it. */
export interface FolderActions {
  /** Creates a folder in `parentFolderId` (null: at the top level). Returns its id; null for a blank name. */
  create(parentFolderId: string | null, name: string): string | null;
  /** Ignores a blank or unchanged name. */
  rename(id: string, name: string): Promise<boolean>;
  /** Moves into another folder, or to the top level (null). Ignored if that is the folder itself or below it. */
  move(id: string, parentFolderId: string | null): Promise<boolean>;
  /** Moves the folder and its contents to the trash. A recording into one of its lectures ends first. */
  remove(id: string): Promise<boolean>;
}

export function createFolderActions(deps: LibraryDeps, now: () => Date): FolderActions {
  const { cache, changes, server, recording } = deps;
  const names = new PendingValues<string>();
  const parents = new PendingValues<string | null>();
  const findFolder = (id: string) => cache.folders?.folders.find((folder) => folder.id === id);

  /** Id of the open lecture, if it is in one of `folders`. */
  async function findOpenIn(folders: ReadonlySet<string>): Promise<string | null> {
    const open = recording.getOpenId();
    if (open === null) return null;
    // A lecture that is not stored yet is in no folder.
    const lecture = cache.getLecture(open) ?? (await server.item(open).catch(() => null));
    return lecture?.folderId && folders.has(lecture.folderId) ? open : null;
  }

  return {
    create(parentFolderId, newName) {
      const name = newName.trim();
      if (name === "") return null;
      const id = crypto.randomUUID();
      const createdAt = now().toISOString();
      void changes.run({
        apply: () => cache.changeFolders({ kind: "created", id, name, parentFolderId, createdAt }),
        send: () => server.createFolder({ id, name, parentFolderId }),
        revert: () => cache.changeFolders({ kind: "removed", ids: [id], lectures: 0 }),
        successTitle: "library.folderCreated",
        failureText: "library.folderNotCreated",
      });
      return id;
    },

    async rename(id, newName) {
      const name = newName.trim();
      const before = findFolder(id)?.name;
      if (name === "" || name === before) return false;
      const pending = names.track(id, before, name, (confirmed) => {
        if (findFolder(id)?.name === name)
          cache.changeFolders({ kind: "renamed", id, name: confirmed });
      });
      return changes.run({
        ...pending,
        apply: () => cache.changeFolders({ kind: "renamed", id, name }),
        send: () => server.renameFolder({ id, name }),
        successTitle: "library.folderUpdated",
        failureText: "library.folderNotUpdated",
      });
    },

    async move(id, parentFolderId) {
      const before = findFolder(id)?.parentFolderId;
      if (cache.folders && !canMoveFolder(buildTree(cache.folders), id, parentFolderId))
        return false;
      const pending = parents.track(id, before, parentFolderId, (confirmed) => {
        if (findFolder(id)?.parentFolderId === parentFolderId)
          cache.changeFolders({ kind: "moved", id, parentFolderId: confirmed });
      });
      return changes.run({
        ...pending,
        apply: () => cache.changeFolders({ kind: "moved", id, parentFolderId }),
        send: () => server.moveFolder({ id, parentFolderId }),
        successTitle: "library.folderUpdated",
        failureText: "library.folderNotUpdated",
      });
    },

    async remove(id) {
      const below = cache.folders ? listSubtree(buildTree(cache.folders), id) : [];
      const ids = [id, ...below.map((node) => node.id)];
      const open = await findOpenIn(new Set(ids));
      if (open !== null) await recording.close();
      return changes.run({
        send: () => server.deleteFolder(id),
        revert: async () => {
          if (open !== null) await recording.reopen(open);
        },
        onSuccess: ({ lectures }) => {
          if (open !== null) recording.notifyDeleted(open);
          cache.changeFolders({ kind: "removed", ids, lectures });
          return t("library.lecturesDeleted", { count: lectures });
        },
        createUndo: createUndoDeletion(deps),
        successTitle: "library.folderDeleted",
        failureText: "library.folderNotDeleted",
      });
    },
  };
}
