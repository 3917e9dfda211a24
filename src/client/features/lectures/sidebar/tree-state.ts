import type { LectureListItem } from "../../../../shared/lecture.ts";
import type { FolderNode } from "../data/tree.ts";
import type { ExportTarget } from "../transfer/export-target.ts";
import type { Movable } from "./move.ts";

/** A dialog over the page. */
export type Asked =
  | { kind: "deleteLecture"; lecture: LectureListItem }
  | { kind: "deleteFolder"; node: FolderNode }
  | { kind: "deleteAll"; lectures: number }
  | { kind: "move"; moved: Movable }
  | { kind: "export"; target: ExportTarget }
  | { kind: "import" };

/** Whether the dialog was asked for at a row of the tree. */
export const isOfRow = ({ kind }: Asked): boolean => kind !== "deleteAll" && kind !== "import";

/** Where a menu opens: at a button, or where the pointer is. */
export type Anchor = Element | { x: number; y: number };

export interface TreeState {
  /** Key of the row that has the keyboard's focus, or had it last; null before the first time. */
  active: string | null;
  /** The row that is being renamed. */
  editing: string | null;
  /** A new folder is being named, in `parentId`. */
  draft: { parentId: string | null } | null;
  /** Waits to be put somewhere. */
  cut: Movable | null;
  menu: { key: string; anchor: Anchor } | null;
  asked: Asked | null;
}

export const atFirst: TreeState = {
  active: null,
  editing: null,
  draft: null,
  cut: null,
  menu: null,
  asked: null,
};

/**
 * The row that has the focus when row `active` is gone: the one in its place, or the last one before it.
 * `before` and `after` are the rows' keys.
 */
export function heirOf(
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
