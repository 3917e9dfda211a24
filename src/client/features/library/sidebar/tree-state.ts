import type { FolderNode } from "#client/state/library/folder-tree.ts";
import type { ExportTarget } from "#client/state/library/lecture-dialogs.ts";
import type { MovableItem } from "#client/state/library/move-targets.ts";
import type { LectureListItem } from "#shared/lecture.ts";

export type TreeDialog =
  | { kind: "deleteLecture"; lecture: LectureListItem }
  | { kind: "deleteFolder"; node: FolderNode }
  | { kind: "deleteAll"; lectures: number }
  | { kind: "move"; moved: MovableItem }
  | { kind: "export"; target: ExportTarget }
  | { kind: "import" };

export const isRowDialog = ({ kind }: TreeDialog): boolean =>
  kind !== "deleteAll" && kind !== "import";

/** Where a menu opens: at a button, or where the pointer is. */
export type Anchor = Element | { x: number; y: number };

export interface TreeState {
  /** Key of the row that has the keyboard's focus, or had it last; null before the first time. */
  activeKey: string | null;
  editingKey: string | null;
  draft: { parentId: string | null } | null;
  /** Waits to be put somewhere. */
  cutItem: MovableItem | null;
  menu: { key: string; anchor: Anchor } | null;
  dialog: TreeDialog | null;
}

export const initialState: TreeState = {
  activeKey: null,
  editingKey: null,
  draft: null,
  cutItem: null,
  menu: null,
  dialog: null,
};

/** Key of the row that takes the place of row `active`, which is gone: the next one, or the last before it. */
export function findNextActiveKey(
  active: string,
  before: readonly string[],
  after: readonly string[],
): string | null {
  const index = before.indexOf(active);
  if (index === -1) return null;
  const known = new Set(after);
  const next = before.slice(index + 1).find((key) => known.has(key));
  return next ?? before.slice(0, index).findLast((key) => known.has(key)) ?? null;
}
