import { Flag } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { listen } from "#client/lib/listen.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { showFormulas } from "#client/ui/lazy-formula.tsx";
import type { Mark } from "#shared/lecture.ts";
import { useT } from "./dialog-messages/index.ts";
import { NoteEditor } from "./note-editor.tsx";
import type { PageProps } from "./reading-state.ts";
import { deleteMarks, type Marks, markedOnly, useMarks } from "./use-marks.ts";
import { findRow, findRowAt, getPosition } from "./use-rows.ts";
import { useShortcuts } from "./use-shortcuts.ts";

/** Marks the sentence being spoken, or else the last one; a second press removes the mark. */
export function MarkButton({ lecture }: { lecture: LectureDocument }) {
  const t = useT();
  const { current } = useMarks(lecture);
  const isMarked = current.length > 0;
  return (
    <IconButton
      icon={Flag}
      iconClass={`size-4.5 ${isMarked ? "fill-current" : ""}`}
      label={t("marks.markCurrent")}
      aria-pressed={isMarked}
      aria-keyshortcuts="m"
      onClick={() => (isMarked ? deleteMarks(lecture, current) : lecture.addMark(null))}
      className="size-11 rounded-full"
    />
  );
}

/** The flag of a marked sentence, which opens its note, and its time; see `MarkTools` for the click. */
export function MarkedTime({ marks, children }: { marks: readonly Mark[]; children: ReactNode }) {
  const t = useT();
  const names = [...new Set(marks.flatMap(({ author }) => author ?? []))].join(", ");
  const action = t(marks.some(({ note }) => note) ? "marks.editNote" : "marks.addNote");
  const label = names === "" ? action : `${action} (${names})`;
  return (
    <span className="-ms-1 inline-flex flex-wrap items-center gap-x-1 columns:justify-end">
      <button
        type="button"
        tabIndex={-1}
        data-mark={marks[0]?.id}
        aria-label={label}
        title={label}
        className="touch-reach inline-grid size-5 place-items-center rounded-s align-middle text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
      >
        <Flag className="size-3.5 fill-current" />
      </button>
      {children}
    </span>
  );
}

/** The notes of a sentence, below it; a click opens one. A note may be in any language. */
export function RowNotes({ marks }: { marks: readonly Mark[] }) {
  return marks.map(({ id, note, author }) =>
    note ? (
      <button
        key={id}
        type="button"
        tabIndex={-1}
        lang=""
        dir="auto"
        data-note={id}
        className="fades mt-1 cursor-pointer whitespace-pre-wrap text-start wrap-anywhere border-rule-strong border-s-2 ps-2.5 font-ui text-[0.86em] text-ink-2 columns:col-start-2 columns:-col-end-1"
      >
        {author ? <span className="text-ink-3">{author} · </span> : null}
        {showFormulas(note)}
      </button>
    ) : null,
  );
}

interface OpenNote {
  id: string;
  /** The mark was made for this note. */
  isNew: boolean;
  /** Distance of its sentence from the window's upper edge, px. */
  top: number;
}

/** The keys M and N, clicks on flags and notes, and the note that is open. */
export function MarkTools({ lecture, marks, page }: PageProps & { marks: Marks }) {
  const t = useT();
  const [openNote, setOpenNote] = useState<OpenNote | null>(null);
  const status = useRef<HTMLDivElement>(null);
  const all = useValue(lecture.marks);
  // What was typed is saved while its lecture is still the open one.
  const loading = useField(lecture.view, "busy") === "loading";
  if (loading && openNote !== null) setOpenNote(null);

  /** The focused row's position, or null; and its marks, or those of the current sentence. */
  function findTarget() {
    const row = findRow(document.activeElement);
    const position = row && page.current?.contains(row) ? getPosition(row) : null;
    const found = position === null ? marks.current : (marks.rows.get(position) ?? []);
    return { position, found };
  }

  /** Also announces the same text again, which a render would not. */
  function announce(text: string) {
    if (status.current) status.current.textContent = text;
  }

  function open(id: string, position: number | null, isNew: boolean) {
    const row = position === null ? null : page.current && findRowAt(page.current, position);
    const flag = page.current?.querySelector(`[data-mark="${id}"]`);
    const last = [...(page.current?.querySelectorAll("[data-row], [data-live-line]") ?? [])].at(-1);
    const top = (row ?? flag ?? last)?.getBoundingClientRect().top ?? 0;
    setOpenNote({ id, isNew, top });
  }

  useShortcuts({
    m: () => {
      const { position, found } = findTarget();
      if (found.length > 0) {
        deleteMarks(lecture, found);
        announce(t("marks.unmarked"));
      } else if (lecture.addMark(position)) announce(t("marks.marked"));
    },
    n: () => {
      const { position, found } = findTarget();
      const mark = found[0] ?? lecture.addMark(position);
      if (mark && !loading) open(mark.id, position, found.length === 0);
    },
  });

  const handleClick = useEffectEvent((event: Event) => {
    if (!(event.target instanceof Element)) return;
    const added = event.target.closest<HTMLElement>("[data-add-note]")?.dataset.addNote;
    if (added !== undefined && !loading) {
      const [first] = marks.rows.get(Number(added)) ?? [];
      const noted = first ?? lecture.addMark(Number(added));
      if (noted) open(noted.id, Number(added), first === undefined);
      return;
    }
    const { mark, note } =
      event.target.closest<HTMLElement>("[data-mark], [data-note]")?.dataset ?? {};
    const id = mark ?? note;
    if (id === undefined || loading) return;
    const row = findRow(event.target);
    open(id, row && getPosition(row), false);
  });
  useEffect(() => listen(page.current, "click", handleClick), [page]);

  const mark = openNote && all.find(({ id }) => id === openNote.id);
  return (
    <>
      <div ref={status} role="status" className="sr-only" />
      {mark ? (
        <NoteEditor
          key={mark.id}
          lecture={lecture}
          mark={mark}
          isNew={openNote.isNew}
          top={openNote.top}
          onClose={() => setOpenNote(null)}
        />
      ) : null}
    </>
  );
}

/** Above the rows while only marked ones are shown. */
export function MarkedOnlyBar({ count }: { count: number }) {
  const t = useT();
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-m bg-paper-2 py-1.5 pr-1.5 pl-3.5 font-ui text-base text-ink-2">
      <p role="status" className="mr-auto">
        {count === 0 ? t("marks.none") : t("marks.count", { count })}
      </p>
      <Button size="small" onClick={() => markedOnly.set(false)}>
        {t("marks.showAll")}
      </Button>
    </div>
  );
}
