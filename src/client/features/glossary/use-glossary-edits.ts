import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { listen } from "#client/lib/listen.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { getShortcutKey } from "#client/lib/shortcut-key.ts";
import { applyChanges, changeGlossary, invertChanges } from "#client/state/library/glossary.ts";
import type { Glossary, GlossaryTerm, TermChange } from "#shared/glossary.ts";
import { type MessageKey, t } from "./messages/index.ts";
import { getKey, type TermEdit } from "./table-changes.ts";

/** Why the server does not have an edit. */
interface Problem {
  message: string;
  canRetry: boolean;
}

/** An edit of a term that the server does not have. `problem` null: it is being sent. */
interface UnsentEdit {
  edit: TermEdit;
  problem: Problem | null;
}

/** A change that can be undone: what undoes it. */
type Undo = readonly TermChange[];

interface RunOptions {
  /** Of the toast that offers to undo the change; without it there is none. */
  title?: string;
  description?: string | undefined;
}

/** The changes that a person makes of a folder's glossary on this page. What the server refuses stays in its row. */
export function useGlossaryEdits(folderId: string | null, stored: Glossary) {
  const [unsent, setUnsent] = useState<ReadonlyMap<string, UnsentEdit>>(new Map());
  const undoStack = useRef<Undo[]>([]);
  const edits = [...unsent.values()];
  const glossary = applyChanges(
    stored,
    folderId,
    edits.map(({ edit }) => edit),
  );
  const own = listOwnTerms(glossary, folderId);
  const storedIds = useMemo(() => new Set(stored.terms.map(({ id }) => id)), [stored]);

  /** `during`: only if it is the term's last edit. */
  const setEdit = (id: string, next: UnsentEdit | null, during?: UnsentEdit) =>
    setUnsent((before) => {
      if (during && before.get(id) !== during) return before;
      const after = new Map(before);
      if (next) after.set(id, next);
      else after.delete(id);
      return after;
    });

  /** Runs `change`, which `undo` undoes, unless it fails. */
  async function keepUndo(undo: Undo, change: Promise<void>): Promise<void> {
    undoStack.current.push(undo);
    try {
      await change;
    } catch (failure) {
      forget(undo);
      throw failure;
    }
  }

  const forget = (undo: Undo) => {
    undoStack.current = undoStack.current.filter((one) => one !== undo);
  };

  /** What the server has, or will have. */
  const getSent = (): Glossary => {
    const sent = edits.filter(({ problem }) => problem === null).map(({ edit }) => edit);
    return applyChanges(stored, folderId, sent);
  };

  /** Changes or adds a term. A refusal is shown in its row, with the text. */
  async function edit(term: GlossaryTerm, change: Omit<TermEdit, "id">): Promise<void> {
    const { folderId: _, id, ...fields } = term;
    const before = getSent();
    const isStored = before.terms.some((one) => one.id === id);
    const former = unsent.get(id)?.edit;
    // All of it, if another page has deleted it meanwhile.
    const base = isStored ? former : { ...fields, ...former };
    const translations = { ...base?.translations, ...change.translations };
    const next: TermEdit = {
      ...base,
      ...change,
      id,
      ...(Object.keys(translations).length > 0 && { translations }),
    };
    const key = getKey({ language: next.language ?? term.language, term: next.term ?? term.term });
    const same = listOwnTerms(before, folderId).find((one) => one.id !== id && getKey(one) === key);
    if (same && !same.isLeftOut) {
      setEdit(id, { edit: next, problem: getClash() });
      return;
    }
    const changes = [...(same ? [{ id: same.id, isDeleted: true } as const] : []), next];
    const sent: UnsentEdit = { edit: next, problem: null };
    setEdit(id, sent);
    // A later edit of the term may have taken the place of this one.
    const settle = (problem: Problem | null) =>
      setEdit(id, problem && { edit: next, problem }, sent);
    try {
      await keepUndo(invertChanges(before, changes), changeGlossary(folderId, changes));
      settle(null);
    } catch (failure) {
      const isClash = toApiError(failure).code === "conflict";
      settle(isClash ? getClash() : { message: getErrorMessage(failure), canRetry: true });
    }
  }

  const discard = (id: string) => setEdit(id, null);

  /** Changes several terms. @throws ApiError if the server refuses it */
  async function run(changes: readonly TermChange[], options: RunOptions = {}): Promise<void> {
    const { title, description } = options;
    const undo = invertChanges(getSent(), changes);
    for (const { id } of changes) discard(id);
    await keepUndo(undo, changeGlossary(folderId, changes));
    if (title === undefined) return;
    const action = { label: t("glossary.undo"), run: () => void undoChange(undo) };
    toast({ kind: "success", title, ...(description !== undefined && { description }), action });
  }

  /** The same; a toast says when the server refuses it. */
  const tryRun = (
    changes: readonly TermChange[],
    options: RunOptions & { failed: MessageKey },
  ): Promise<void> =>
    run(changes, options).catch((failure: unknown) =>
      toastFailure(t(options.failed), getErrorMessage(failure)),
    );

  async function undoChange(undo: Undo): Promise<void> {
    if (!undoStack.current.includes(undo)) return;
    forget(undo);
    for (const { id } of undo) discard(id);
    try {
      await changeGlossary(folderId, undo);
    } catch (failure) {
      undoStack.current.push(undo);
      toastFailure(t("glossary.notUndone"), getErrorMessage(failure));
    }
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && getShortcutKey(event) === "z";
    const undo = undoStack.current.at(-1);
    if (!isUndo || event.shiftKey || !undo || isTyping(event.target)) return;
    event.preventDefault();
    void undoChange(undo);
  });
  useEffect(() => listen(window, "keydown", handleKey), []);

  return {
    glossary,
    own,
    /** Why the server does not have a term's last edit; null if it has it or is about to. */
    getProblem: (id: string): Problem | null => unsent.get(id)?.problem ?? null,
    isStored: (id: string) => storedIds.has(id),
    edit,
    discard,
    run,
    tryRun,
  };
}

export type GlossaryEdits = ReturnType<typeof useGlossaryEdits>;

const listOwnTerms = (glossary: Glossary, folderId: string | null): GlossaryTerm[] =>
  glossary.terms
    .filter((term) => term.folderId === folderId)
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));

const getClash = (): Problem => ({ message: t("glossary.clash"), canRetry: false });

/** A field with text that is not in the glossary yet, in which the browser undoes. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input, textarea") &&
  target.dataset.isChanged !== "false";
