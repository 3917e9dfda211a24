import {
  AudioLines,
  AudioWaveform,
  Copy,
  Ellipsis,
  FileDown,
  Flag,
  FolderInput,
  GraduationCap,
  type LucideIcon,
  PencilLine,
  Repeat2,
  Search,
  Sparkles,
  TextCursorInput,
  Trash2,
  Undo2,
  Users,
} from "lucide-react";
import { type RefObject, useState } from "react";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT as useLibraryT } from "#client/i18n/library/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { copyText } from "#client/lib/notifications.ts";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { formatShownText } from "#client/reading/format-text.ts";
import {
  isFindOpen,
  noGaps,
  passUndo,
  type ReadingDialog,
  readingDialog,
} from "#client/reading/reading-state.ts";
import { markedOnly } from "#client/reading/use-marks.ts";
import { findVisibleRow } from "#client/reading/use-rows.ts";
import { moveLecture } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";

export interface LectureMenuProps {
  document: LectureDocument;
  nameField: RefObject<HTMLInputElement | null>;
  /** The scrolling element with the rows. */
  page: RefObject<HTMLElement | null>;
  onDeleted: () => void;
}

type LectureDialog = "move" | "export" | "delete";

const entry = (key: string, icon: LucideIcon, label: string, run: () => void): MenuEntry => ({
  key,
  icon,
  label,
  run,
});

const openForm = (form: ReadingDialog) => () => readingDialog.set(form);

/** What can be done with a lecture and its text. Its button keeps its place where nothing can. */
export function LectureMenu({ document, nameField, page, onDeleted }: LectureMenuProps) {
  const t = useT();
  const r = useReadingT();
  const tLibrary = useLibraryT();
  const language = useLanguage();
  const lecture = useField(document.view, "lecture");
  const hasRows = useValue(document.transcript.blocks).length > 0 && !document.isReadOnly;
  const hasGaps = useValue(document.recorded?.gaps ?? noGaps).length > 0 && !document.isReadOnly;
  const undo = useValue(passUndo);
  const showsMarkedOnly = useValue(markedOnly);
  const [dialog, setDialog] = useState<LectureDialog | null>(null);
  const { DeleteDialog, ExportDialog, MoveDialog } = useLectureDialogs();
  const wasDeleteOpened = useLatch(dialog === "delete");
  const close = () => setDialog(null);

  const copy = () =>
    void copyText(formatShownText(document), r("reading.copied"), [r("reading.copyFailed")]);
  const focusRow = () => page.current && findVisibleRow(page.current)?.focus();
  const toggleMarked = () => markedOnly.set(!showsMarkedOnly);
  const show = (next: LectureDialog) => () => setDialog(next);
  const ofText = [
    // Later, because the closing menu returns the focus to its button first.
    entry("find", Search, r("find.label"), () => setTimeout(() => isFindOpen.set(true))),
    entry("copy", Copy, r("reading.copy"), copy),
    entry("correct", TextCursorInput, r("reading.correct"), () => setTimeout(focusRow)),
    entry("marked", Flag, r(showsMarkedOnly ? "marks.showAll" : "marks.showMarked"), toggleMarked),
    entry("retranslate", Repeat2, r("reading.retranslate"), openForm({ kind: "retranslate" })),
    entry("improve", Sparkles, r("reading.improve"), openForm({ kind: "improve" })),
    entry("again", AudioWaveform, r("reading.recognizeAgain"), openForm({ kind: "again" })),
    ...(undo && undo.lectureId === lecture?.id
      ? [entry("undo", Undo2, r(`${undo.of}.undoAll`), () => undo.undo(document))]
      : []),
    entry(
      "speakers",
      Users,
      r("reading.nameSpeakers"),
      openForm({ kind: "speakers", first: null }),
    ),
    entry("recording", AudioLines, r("reading.recordingDetails"), openForm({ kind: "recording" })),
  ];
  const ofLecture = [
    {
      ...entry("rename", PencilLine, t("lecture.rename"), () => nameField.current?.select()),
      focus: nameField,
    },
    entry("move", FolderInput, t("lecture.move"), show("move")),
    entry("export", FileDown, t("lecture.export"), show("export")),
    ...(hasRows
      ? [entry("flashcards", GraduationCap, r("flashcards.open"), openForm({ kind: "flashcards" }))]
      : []),
    { ...entry("delete", Trash2, tLibrary("delete.confirm"), show("delete")), destructive: true },
  ];
  // In a lecture in which no words were found.
  const ofGaps = hasGaps ? ofText.filter(({ key }) => key === "again" || key === "recording") : [];
  const entries = [...(hasRows ? ofText : ofGaps), ...(lecture ? ofLecture : [])].filter(
    ({ key }) => key !== "recording" || document.recorded,
  );
  const name = lecture ? getPageTitle(lecture, language) : r("reading.transcript");
  return (
    <>
      <Menu
        heading={name}
        trigger={{
          "aria-label": t("lecture.menu"),
          title: t("lecture.menu"),
          className: `touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink ${entries.length > 0 ? "" : "invisible"}`,
          children: <Ellipsis className="size-4.5" />,
        }}
        entries={entries}
      />
      {lecture && dialog === "move" ? (
        <MoveDialog
          item={{ kind: "lecture", id: lecture.id, name, from: lecture.folderId }}
          onMove={(_item, target) => void moveLecture(lecture.id, target)}
          onClose={close}
        />
      ) : null}
      {lecture && dialog === "export" ? (
        <ExportDialog target={{ kind: "lecture", id: lecture.id, title: name }} onClose={close} />
      ) : null}
      {lecture && wasDeleteOpened ? (
        <DeleteDialog
          lecture={dialog === "delete" ? lecture : null}
          onClose={close}
          onDeleted={onDeleted}
        />
      ) : null}
    </>
  );
}
