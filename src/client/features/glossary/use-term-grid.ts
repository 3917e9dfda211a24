import { type RefObject, useRef, useState } from "react";
import { applyChanges, createTerm } from "#client/state/library/glossary.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { type Column, columns, createEdit, getCellText, type TableLanguages } from "./columns.ts";
import { t } from "./messages/index.ts";
import { getNextPosition } from "./table-changes.ts";
import type { GlossaryEdits } from "./use-glossary-edits.ts";

/** `closed`: the cell is the table's tab stop. `selected`: arrow keys leave it. `typing`: they move in its text. */
export type CellMode = "closed" | "selected" | "typing";

interface ActiveCell {
  /** As it was when the cell was opened. */
  term: GlossaryTerm;
  column: Column;
  mode: CellMode;
}

export type Direction = "up" | "down" | "left" | "right" | "next" | "previous" | "first" | "last";

interface GridContext extends TableLanguages {
  edits: GlossaryEdits;
  /** The folder's own terms in the shown language, and the row for a new one, which is the last. */
  rows: readonly GlossaryTerm[];
  draft: GlossaryTerm;
  active: ActiveCell | null;
  setDraft: (draft: GlossaryTerm) => void;
  setActive: (active: ActiveCell | null) => void;
  /** The text of the open cell. */
  text: RefObject<string | null>;
  onTable: (text: string) => void;
}

type GridOptions = Pick<GridContext, "language" | "target" | "edits" | "onTable">;

/** The table of a folder's own terms: which cell has the focus, and what keys do there. */
export function useTermGrid(folderId: string | null, options: GridOptions) {
  const { language, edits } = options;
  const [started, setDraft] = useState(() => createTerm(crypto.randomUUID(), folderId));
  const [active, setActive] = useState<ActiveCell | null>(null);
  const text = useRef<string | null>(null);
  const terms = edits.own.filter((term) => term.language === language && !term.isLeftOut);
  const draft = { ...started, language };
  const isGone = active?.mode === "typing" && !terms.some(({ id }) => id === active.term.id);
  // Another page has deleted the term whose cell is being edited.
  if (isGone && active.term.id !== draft.id) terms.push(active.term);
  const rows = [...terms, draft];
  const context: GridContext = {
    ...options,
    rows,
    draft,
    active,
    setDraft,
    setActive,
    text,
  };
  const latest = useRef(context);
  latest.current = context;
  const [commands] = useState(() => createCommands(() => latest.current));
  return { rows, draft, active, commands };
}

export type TermGrid = ReturnType<typeof useTermGrid>;
export type GridCommands = TermGrid["commands"];

/** What keys and buttons of the table do. The functions keep their identity. */
function createCommands(getContext: () => GridContext) {
  const find = (id: string) => {
    const { rows, active } = getContext();
    return rows.find((row) => row.id === id) ?? (active?.term.id === id ? active.term : undefined);
  };

  /** Gives what was typed to the glossary. Returns the rows' ids, with that of a new row. */
  function flush(): string[] {
    const { rows, active, draft, text, target, edits } = getContext();
    const ids = rows.map(({ id }) => id);
    const typed = text.current;
    text.current = null;
    if (!active || typed === null) return ids;
    const { column } = active;
    const term = find(active.term.id) ?? active.term;
    const next = column === "note" ? typed.trim() : joinLines(typed.trim());
    if (next === getCellText(term, column, target)) return ids;
    if (term.id !== draft.id) {
      // A term without its name is not one: the name stays.
      if (column !== "term" || next) void edits.edit(term, createEdit(column, next, target));
      return ids;
    }
    const glossary = { folderIds: [draft.folderId], terms: [draft] };
    const change = { id: draft.id, ...createEdit(column, next, target) };
    const added = applyChanges(glossary, draft.folderId, [change]).terms[0] ?? draft;
    if (!added.term) {
      getContext().setDraft(added);
      return ids;
    }
    const empty = createTerm(crypto.randomUUID(), draft.folderId);
    getContext().setDraft(empty);
    void edits.edit({ ...added, position: getNextPosition(edits.own) }, {});
    return [...ids, empty.id];
  }

  function open(id: string, column: Column, mode: CellMode = "selected"): void {
    flush();
    show(id, column, mode);
  }

  function show(id: string, column: Column, mode: CellMode): void {
    const term = find(id);
    const { setActive, draft } = getContext();
    // A row that has just been added is not rendered yet, and is empty.
    setActive({ term: term ?? createTerm(id, draft.folderId), column, mode });
  }

  function setMode(mode: CellMode): void {
    const { active, setActive } = getContext();
    if (active) setActive({ ...active, mode });
  }

  /** Leaves the open cell. Returns false if nothing is in that direction. */
  function move(direction: Direction): boolean {
    const { active } = getContext();
    if (!active) return false;
    const ids = flush();
    const row = ids.indexOf(active.term.id);
    const column = columns.indexOf(active.column);
    const at = row * columns.length + column;
    const last = ids.length * columns.length - 1;
    const targets: Record<Direction, number> = {
      up: at - columns.length,
      down: at + columns.length,
      left: column > 0 ? at - 1 : -1,
      right: column < columns.length - 1 ? at + 1 : -1,
      next: at + 1,
      previous: at - 1,
      first: 0,
      last: last - columns.length + 1,
    };
    const target = targets[direction];
    const id = ids[Math.floor(target / columns.length)];
    const next = columns[target % columns.length];
    if (target < 0 || target > last || id === undefined || !next) return false;
    show(id, next, "selected");
    return true;
  }

  return {
    open,
    move,
    /** Enter in a cell that is being edited: the cell below, and of the row for a new term its first cell. */
    moveDown(): void {
      const { active } = getContext();
      const ids = flush();
      const next = active && ids[ids.indexOf(active.term.id) + 1];
      if (next) show(next, next === ids.at(-1) ? "term" : active.column, "selected");
      else if (active) show(active.term.id, "term", "selected");
    },
    /** The text of the open cell. */
    type(text: string): void {
      const { active, text: typed } = getContext();
      typed.current = text;
      if (active?.mode !== "typing") setMode("typing");
    },
    startTyping: (): void => setMode("typing"),
    /** Takes back what was typed. */
    cancel(): void {
      getContext().text.current = null;
      setMode("selected");
    },
    /** The open cell has lost the focus. `stays`: only because the window has. */
    leave(stays: boolean): void {
      flush();
      if (!stays) setMode("closed");
    },
    remove(id: string): void {
      const { rows, draft, active, edits, setDraft, text } = getContext();
      const index = rows.findIndex((row) => row.id === id);
      const term = rows[index];
      if (!term) return;
      // What is typed into another row is kept.
      if (active?.term.id === id) text.current = null;
      else flush();
      if (id === draft.id) {
        setDraft(createTerm(id, draft.folderId));
        return;
      }
      const next = rows[index + 1];
      if (next) show(next.id, active?.column ?? "term", "selected");
      if (edits.isStored(id))
        void edits.tryRun([{ id, isDeleted: true }], {
          title: t("glossary.deleted"),
          description: term.term,
          failed: "glossary.notDeleted",
        });
      else edits.discard(id);
    },
    retry(id: string): void {
      const term = find(id);
      if (term) void getContext().edits.edit(term, {});
    },
    discard: (id: string): void => getContext().edits.discard(id),
    addTable: (text: string): void => getContext().onTable(text),
    focusDraft: (): void => open(getContext().draft.id, "term"),
  };
}

/** In one line: blanks around a line break and the break itself become one space. */
const joinLines = (text: string): string =>
  text.replaceAll(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
