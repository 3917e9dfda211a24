import { getShortcutKey } from "#client/lib/shortcut-key.ts";
import { getGroupId, isFocusable, isGroup, isItem, type Row } from "./tree-rows.ts";

/** What a key does in the tree. `key`: of the row to focus; `ids`: of folders to expand or collapse. */
export type KeyCommand =
  | { type: "focus"; key: string }
  | { type: "open" | "close"; ids: readonly string[] }
  | { type: "activate" | "rename" | "remove" | "menu" | "cut" | "paste" | "cancel" };

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey"
>;

/** Letters typed in quick succession, to find a row by its name. */
export interface Typing {
  text: string;
  /** Time of the last letter, ms since 1970. */
  at: number;
}

export const noTyping: Typing = { text: "", at: Number.NEGATIVE_INFINITY };

export const typingPauseMs = 700;

const focus = (row: Row | undefined): KeyCommand | null =>
  row ? { type: "focus", key: row.key } : null;

function findParent(rows: readonly Row[], index: number): Row | undefined {
  const level = rows[index]?.level ?? 1;
  return rows.slice(0, index).findLast((row) => row.level < level && isGroup(row));
}

function listCollapsedSiblings(rows: readonly Row[], index: number): string[] {
  const level = rows[index]?.level;
  const parent = findParent(rows, index);
  return rows
    .filter(
      (row, at) =>
        isGroup(row) && row.canExpand && row.level === level && findParent(rows, at) === parent,
    )
    .flatMap((row) => (isGroup(row) && !row.open ? [getGroupId(row)] : []));
}

/** The next row after `index` whose name starts with `text`. A repeated letter cycles through the matches. */
function findByName(rows: readonly Row[], index: number, text: string): Row | undefined {
  const [first = "", ...others] = text;
  const repeated = others.every((letter) => letter === first) ? first : text;
  // A longer text may still match the current row.
  const from = repeated.length === 1 ? index + 1 : index;
  const order = [...rows.slice(from), ...rows.slice(0, from)];
  const find = (part: string) =>
    order.find((row) => isItem(row) && row.item.name.toLowerCase().startsWith(part.toLowerCase()));
  return find(text) ?? find(repeated);
}

/** The command of a key while row `active` has the focus, and the letters typed so far. */
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
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyPress, typing: Typing, now: number) {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1 || "/?*".includes(key)) return false;
  return key !== " " || now - typing.at <= typingPauseMs;
}

function toCommand(
  rows: readonly Row[],
  index: number,
  row: Row,
  press: KeyPress,
): KeyCommand | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = press;
  if (altKey) return null;
  const onItem = (type: "rename" | "remove" | "menu" | "cut"): KeyCommand | null =>
    isItem(row) ? { type } : null;
  if (ctrlKey || metaKey) {
    if (shiftKey) return null;
    if (key === "Backspace") return onItem("remove");
    const letter = getShortcutKey(press);
    if (letter === "x") return onItem("cut");
    return letter === "v" ? { type: "paste" } : null;
  }
  switch (key) {
    case "ArrowDown":
      return focus(rows.slice(index + 1).find(isFocusable));
    case "ArrowUp":
      return focus(rows.slice(0, index).findLast(isFocusable));
    case "Home":
      return focus(rows.find(isFocusable));
    case "End":
      return focus(rows.findLast(isFocusable));
    case "ArrowRight": {
      if (!isGroup(row) || !row.canExpand) return null;
      if (!row.open) return { type: "open", ids: [getGroupId(row)] };
      const next = rows.slice(index + 1).find(isFocusable);
      return next && next.level > row.level ? focus(next) : null;
    }
    case "ArrowLeft":
      if (isGroup(row) && row.open) return { type: "close", ids: [getGroupId(row)] };
      return focus(findParent(rows, index));
    case "*":
      return { type: "open", ids: listCollapsedSiblings(rows, index) };
    case "Enter":
    case " ":
      return { type: "activate" };
    case "F2":
      return onItem("rename");
    case "Delete":
      return onItem("remove");
    case "F10":
      return shiftKey ? onItem("menu") : null;
    case "ContextMenu":
      return onItem("menu");
    case "Escape":
      return { type: "cancel" };
    default:
      return null;
  }
}

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
