import { t } from "#client/i18n/library/index.ts";
import { buildTree, mayMoveTo, subtreeOf } from "./folder-tree.ts";
import type { LibraryDeps } from "./library-deps.ts";
import { Standing } from "./pending-values.ts";
import { wayBack } from "./undo-deletion.ts";

/** Promises resolve to whether the server took the change; what failed was told by a toast and taken back. */
export interface FolderActions {
  /** Makes a folder in `parentFolderId` (null: at the top) and returns its id; null for a blank name. */
  create(parentFolderId: string | null, name: string): string | null;
  /** A blank name, and one that is the folder's already, is ignored. */
  rename(id: string, name: string): Promise<boolean>;
  /** Into another folder, or to the top; ignored where that is itself or lies below it. */
  move(id: string, parentFolderId: string | null): Promise<boolean>;
  /** To the trash, with all that is in it. What is still recorded into one of its lectures ends first. */
  remove(id: string): Promise<boolean>;
}

export function makeFolderActions(deps: LibraryDeps, now: () => Date): FolderActions {
  const { cache, changes, server, recording } = deps;
  const names = new Standing<string>();
  const places = new Standing<string | null>();
  const folderOf = (id: string) => cache.folders?.folders.find((folder) => folder.id === id);

  /** The open lecture where it lies in one of `folders`. */
  async function openIn(folders: ReadonlySet<string>): Promise<string | null> {
    const open = recording.openId();
    if (open === null) return null;
    // One that the server does not know lies in no folder.
    const lecture = cache.lecture(open) ?? (await server.item(open).catch(() => null));
    return lecture?.folderId && folders.has(lecture.folderId) ? open : null;
  }

  return {
    create(parentFolderId, typed) {
      const name = typed.trim();
      if (name === "") return null;
      const id = crypto.randomUUID();
      const createdAt = now().toISOString();
      void changes.run({
        show: () => cache.changeFolders({ kind: "created", id, name, parentFolderId, createdAt }),
        send: () => server.createFolder({ id, name, parentFolderId }),
        undo: () => cache.changeFolders({ kind: "removed", ids: [id], lectures: 0 }),
        done: "library.folderCreated",
        failed: "library.folderNotCreated",
      });
      return id;
    },

    async rename(id, typed) {
      const name = typed.trim();
      const before = folderOf(id)?.name;
      if (name === "" || name === before) return false;
      const ends = names.begin(id, before, name, (has) => {
        if (folderOf(id)?.name === name) cache.changeFolders({ kind: "renamed", id, name: has });
      });
      return changes.run({
        ...ends,
        show: () => cache.changeFolders({ kind: "renamed", id, name }),
        send: () => server.renameFolder({ id, name }),
        done: "library.folderUpdated",
        failed: "library.folderNotUpdated",
      });
    },

    async move(id, parentFolderId) {
      const before = folderOf(id)?.parentFolderId;
      if (cache.folders && !mayMoveTo(buildTree(cache.folders), id, parentFolderId)) return false;
      const ends = places.begin(id, before, parentFolderId, (has) => {
        if (folderOf(id)?.parentFolderId === parentFolderId)
          cache.changeFolders({ kind: "moved", id, parentFolderId: has });
      });
      return changes.run({
        ...ends,
        show: () => cache.changeFolders({ kind: "moved", id, parentFolderId }),
        send: () => server.moveFolder({ id, parentFolderId }),
        done: "library.folderUpdated",
        failed: "library.folderNotUpdated",
      });
    },

    async remove(id) {
      const below = cache.folders ? subtreeOf(buildTree(cache.folders), id) : [];
      const ids = [id, ...below.map((node) => node.id)];
      const open = await openIn(new Set(ids));
      if (open !== null) await recording.leave();
      return changes.run({
        send: () => server.deleteFolder(id),
        undo: async () => {
          if (open !== null) await recording.comeBack(open);
        },
        settle: ({ lectures }) => {
          if (open !== null) recording.deleted(open);
          cache.changeFolders({ kind: "removed", ids, lectures });
          return t("library.lecturesDeleted", { count: lectures });
        },
        back: wayBack(deps),
        done: "library.folderDeleted",
        failed: "library.folderNotDeleted",
      });
    },
  };
}
