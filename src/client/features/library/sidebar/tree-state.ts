import type { FolderNode, MovableItem } from "#client/state/library/folder-tree.ts";
import type { ExportTarget } from "#client/state/library/lecture-dialogs.ts";
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

/** Where a menu opens: at a button, or at the pointer. */
export type Anchor = Element | { x: number; y: number };

export interface TreeState {
  /** Key of the row that has the focus or had it last; null at first. */
  activeKey: string | null;
  editingKey: string | null;
  draft: { parentId: string | null } | null;
  /** Cut, and not pasted yet. */
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

/** Key of the row that replaces the removed row `active`: the next one, else the previous one. */
export function findNextActiveKey(
  active: string,
  before: readonly string[],
  after: readonly string[],
): string | null {
  const index = before.indexOf(active);
  if (index === -1) return null;
  const remaining = new Set(after);
  const next = before.slice(index + 1).find((key) => remaining.has(key));
  return next ?? before.slice(0, index).findLast((key) => remaining.has(key)) ?? null;
}
