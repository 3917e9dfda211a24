import {
  type FolderRow,
  getRowName,
  isFocusable,
  type Row,
  type UncategorizedRow,
  uncategorizedId,
} from "./tree-rows.ts";

/** What a key does in the tree. `key`: of a row; `ids`: of folders to expand or collapse. */
export type KeyCommand =
  | { type: "focus"; key: string }
  | { type: "open" | "close"; ids: readonly string[] }
  | { type: "activate" | "rename" | "remove" | "menu" | "cut" | "paste"; key: string }
  | { type: "cancel" };

export interface KeyPress {
  key: string;
  /** Ctrl, or ⌘. */
  command: boolean;
  shift: boolean;
  alt: boolean;
}

/** Letters typed in quick succession, to find a row by its name. */
export interface Typing {
  text: string;
  at: number;
}

export const noTyping: Typing = { text: "", at: Number.NEGATIVE_INFINITY };

export const typingPauseMs = 700;

type Group = FolderRow | UncategorizedRow;
const isGroup = (row: Row): row is Group => row.kind === "folder" || row.kind === "uncategorized";
const getGroupId = (row: Group) => (row.kind === "folder" ? row.node.id : uncategorizedId);

const focus = (row: Row | undefined): KeyCommand | null =>
  row ? { type: "focus", key: row.key } : null;

function findFocusable(rows: readonly Row[], index: number, step: 1 | -1): Row | undefined {
  for (let at = index; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row && isFocusable(row)) return row;
  }
  return undefined;
}

function findParent(rows: readonly Row[], index: number): Row | undefined {
  const level = rows[index]?.level ?? 1;
  return rows.slice(0, index).findLast((row) => row.level < level && isGroup(row));
}

function listCollapsedSiblings(rows: readonly Row[], index: number): string[] {
  const row = rows[index];
  if (!row) return [];
  const holder = findParent(rows, index);
  return rows
    .filter(
      (other, at) => isGroup(other) && other.level === row.level && findParent(rows, at) === holder,
    )
    .filter((other): other is Group => isGroup(other) && !other.open)
    .map(getGroupId);
}

/** The next row after `index` whose name starts with `text`. A repeated letter cycles through the matches. */
function findByName(rows: readonly Row[], index: number, text: string): Row | undefined {
  const letters = [...text];
  const repeated = letters.every((letter) => letter === letters[0]) ? (letters[0] ?? "") : text;
  // A longer text may still match the current row.
  const from = repeated.length === 1 || text.length === 1 ? index + 1 : index;
  const order = [...rows.slice(from), ...rows.slice(0, from)];
  const find = (part: string) =>
    order.find((row) => isFocusable(row) && startsWith(getRowName(row), part));
  return find(text) ?? find(repeated);
}

const startsWith = (name: string, part: string) =>
  name.toLowerCase().startsWith(part.toLowerCase());

/** The command of key `press` while row `active` has the focus, and the letters typed so far. */
export function resolveKeyPress(
  rows: readonly Row[],
  active: string,
  press: KeyPress,
  typing: Typing,
  now: number,
): { command: KeyCommand | null; typing: Typing } {
  const index = rows.findIndex((row) => row.key === active);
  const row = rows[index];
  if (!row) return { command: null, typing };
  if (isLetter(press, typing, now)) {
    const text = now - typing.at > typingPauseMs ? press.key : typing.text + press.key;
    return { command: focus(findByName(rows, index, text)), typing: { text, at: now } };
  }
  return { command: toCommand(rows, index, row, press), typing };
}

/** A space counts while a name is being typed; `/` and `?` are shortcuts of the page. */
function isLetter({ key, command, alt }: KeyPress, typing: Typing, now: number): boolean {
  if (command || alt || [...key].length !== 1 || key === "/" || key === "?" || key === "*")
    return false;
  return key !== " " || now - typing.at <= typingPauseMs;
}

function toCommand(
  rows: readonly Row[],
  index: number,
  row: Row,
  { key, command, shift, alt }: KeyPress,
): KeyCommand | null {
  if (alt) return null;
  const hasName = row.kind === "folder" || row.kind === "lecture";
  if (command) {
    if (shift) return null;
    if (key === "Backspace") return hasName ? { type: "remove", key: row.key } : null;
    if (key.toLowerCase() === "x") return hasName ? { type: "cut", key: row.key } : null;
    return key.toLowerCase() === "v" ? { type: "paste", key: row.key } : null;
  }
  switch (key) {
    case "ArrowDown":
      return focus(findFocusable(rows, index + 1, 1));
    case "ArrowUp":
      return focus(findFocusable(rows, index - 1, -1));
    case "Home":
      return focus(findFocusable(rows, 0, 1));
    case "End":
      return focus(findFocusable(rows, rows.length - 1, -1));
    case "ArrowRight": {
      if (!isGroup(row)) return null;
      if (!row.open) return { type: "open", ids: [getGroupId(row)] };
      const first = findFocusable(rows, index + 1, 1);
      return first && first.level > row.level ? focus(first) : null;
    }
    case "ArrowLeft":
      if (isGroup(row) && row.open) return { type: "close", ids: [getGroupId(row)] };
      return focus(findParent(rows, index));
    case "*":
      return { type: "open", ids: listCollapsedSiblings(rows, index) };
    case "Enter":
    case " ":
      return { type: "activate", key: row.key };
    case "F2":
      return hasName ? { type: "rename", key: row.key } : null;
    case "Delete":
      return hasName ? { type: "remove", key: row.key } : null;
    case "F10":
      return shift && hasName ? { type: "menu", key: row.key } : null;
    case "ContextMenu":
      return hasName ? { type: "menu", key: row.key } : null;
    case "Escape":
      return { type: "cancel" };
    default:
      return null;
  }
}
