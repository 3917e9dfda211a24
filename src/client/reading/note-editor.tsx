import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { listen } from "#client/lib/listen.ts";
import { Button } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import type { Mark } from "#shared/lecture.ts";
import { noteMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";
import { handleEditKeys } from "./row-editor.tsx";
import { deleteMarks } from "./use-marks.ts";
import { findRow } from "./use-rows.ts";

interface NoteEditorProps {
  lecture: LectureDocument;
  mark: Mark;
  /** The mark was made for this note, and goes with an empty one. */
  isNew: boolean;
  /** Distance of its sentence from the window's upper edge, px. */
  top: number;
  onClose: () => void;
}

/** Space below the editor's upper edge that it needs, px. */
const minHeight = 260;

/**
 * The note of a mark: a card in the margin beside its sentence, on a phone a sheet at the lower edge. The transcript
 * goes on beside it. Leaving it saves the note; Escape discards the change.
 */
export function NoteEditor({ lecture, mark, isNew, top, onClose }: NoteEditorProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  const [opener] = useState(() => findRow(document.activeElement) ?? document.activeElement);
  const [note, setNote] = useState(mark.note);
  const [initial] = useState(mark);

  useEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, []);

  function save() {
    // The lecture may have been closed, or the mark deleted elsewhere.
    const exists = lecture.marks.get().some(({ id }) => id === mark.id);
    if (exists && note.trim() !== initial.note) lecture.putMark({ ...mark, note });
  }
  const saveOnLeave = useEffectEvent(() => {
    if (!done.current) save();
  });
  useEffect(() => () => saveOnLeave(), []);

  function finish(kind: "save" | "cancel" | "delete", returnsFocus = true) {
    if (done.current) return;
    done.current = true;
    const isEmpty = (kind === "cancel" ? initial.note : note.trim()) === "";
    if (kind === "delete") deleteMarks(lecture, [{ ...mark, note }]);
    else if (isNew && isEmpty) lecture.deleteMark(mark);
    else if (kind === "save") save();
    onClose();
    if (returnsFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  }

  const leave = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !box.current?.contains(target)) finish("save", false);
  });
  useEffect(() => listen(document, "pointerdown", leave, { capture: true }), []);

  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-label={t("marks.note")}
      onKeyDown={(event) => handleEditKeys(event, (isSaved) => finish(isSaved ? "save" : "cancel"))}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) finish("save", false);
      }}
      style={{ "--top": `max(4.5rem, min(${top}px, 100dvh - ${minHeight}px))` } as object}
      className="fixed inset-x-0 bottom-0 z-10 grid gap-2.5 rounded-t-l border-rule border-t bg-sheet p-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-sheet book:inset-x-auto book:top-(--top) book:right-6 book:bottom-auto book:w-76 book:rounded-l book:border book:pb-4"
    >
      <p aria-hidden="true" className="font-semibold text-sm">
        {t("marks.note")}
      </p>
      <GrowingTextarea
        ref={field}
        dir="auto"
        rows={3}
        aria-label={t("marks.note")}
        maxLength={noteMaxLength}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        className="max-h-[30dvh] min-h-20 w-full resize-none rounded-m border border-rule-control bg-sheet px-3 py-2 text-base leading-relaxed"
      />
      <div className="flex justify-between gap-2">
        <Button look="quiet" size="small" onClick={() => finish("delete")} className="-ml-3">
          {t("marks.remove")}
        </Button>
        <Button look="ink" size="small" onClick={() => finish("save")}>
          {t("marks.done")}
        </Button>
      </div>
    </div>,
    document.body,
  );
}
