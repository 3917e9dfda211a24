import {
  AudioLines,
  AudioWaveform,
  Ellipsis,
  FileDown,
  Flag,
  FolderInput,
  GraduationCap,
  Images,
  Languages,
  type LucideIcon,
  Maximize2,
  Mic,
  PictureInPicture2,
  RadioTower,
  Repeat2,
  Save,
  Search,
  Sparkles,
  Trash2,
  Undo2,
  Users,
} from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import { isTextCardOpen, openDialog } from "#client/features/recording/screen-state.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT as useLibraryT } from "#client/i18n/library/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { useNarrowWindow } from "#client/lib/media-queries.ts";
import { copyText, toastFailure } from "#client/lib/notifications.ts";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { formatShownText } from "#client/reading/format-text.ts";
import {
  captionControl,
  isFindOpen,
  noGaps,
  passUndo,
  type ReadingDialog,
  readingDialog,
} from "#client/reading/reading-state.ts";
import { markedOnly } from "#client/reading/use-marks.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { moveLecture } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";

export interface LectureMenuProps {
  document: LectureDocument;
  /** It is recorded, or is to be; otherwise it is read. */
  isRecorded: boolean;
  onSave: () => void;
  onFullScreen: () => void;
  onShare: () => void;
  onDeleted: () => void;
}

type LectureDialog = "move" | "export" | "delete" | "improve";

const entry = (key: string, icon: LucideIcon, label: string, run: () => void): MenuEntry => ({
  key,
  icon,
  label,
  run,
});

/** The closing menu returns the focus to its button first. */
const later = (run: () => void) => () => void setTimeout(run);

/** What can be done with a lecture and its text, at most eight things. Its button keeps its place where nothing can. */
export function LectureMenu(props: LectureMenuProps) {
  const { document, isRecorded, onSave, onFullScreen, onShare, onDeleted } = props;
  const t = useT();
  const r = useReadingT();
  const tLibrary = useLibraryT();
  const language = useLanguage();
  const isNarrow = useNarrowWindow();
  const lecture = useField(document.view, "lecture");
  const status = useField(document.view, "status");
  const hasRows = useValue(document.transcript.blocks).length > 0 && !document.isReadOnly;
  const hasGaps = useValue(document.recorded?.gaps ?? noGaps).length > 0 && !document.isReadOnly;
  const hasMarks = useValue(document.marks).length > 0;
  const captions = useCaptions();
  const showsMarkedOnly = useValue(markedOnly);
  const [dialog, setDialog] = useState<LectureDialog | null>(null);
  const { DeleteDialog, ExportDialog, MoveDialog } = useLectureDialogs();
  const wasDeleteOpened = useLatch(dialog === "delete");
  const close = () => setDialog(null);
  const show = (next: LectureDialog) => () => setDialog(next);
  const isKnown = isRecorded || lecture !== null;

  const find = entry(
    "find",
    Search,
    t("lecture.find"),
    later(() => isFindOpen.set(true)),
  );
  const share = entry("share", RadioTower, t("lecture.share"), later(onShare));
  const text = entry(
    "text",
    Languages,
    t("lecture.text"),
    later(() => isTextCardOpen.set(true)),
  );
  const sound = entry(
    "sound",
    Mic,
    t("lecture.sound"),
    later(() => openDialog("settings")),
  );
  const openSlides = () => readingDialog.set({ kind: "slides" });
  const slides =
    lecture !== null && entry("slides", Images, t("lecture.slides"), later(openSlides));
  const deletion = {
    ...entry("delete", Trash2, tLibrary("delete.confirm"), show("delete")),
    destructive: true,
  };
  const fullScreen = entry("fullScreen", Maximize2, t("lecture.fullScreen"), later(onFullScreen));
  const groups: (MenuEntry | false | null)[][] = isRecorded
    ? [
        [
          hasRows && find,
          status !== "ready" && entry("save", Save, t("lecture.save"), later(onSave)),
          isNarrow && share,
          isNarrow && text,
        ],
        [slides, sound, fullScreen, isNarrow ? null : captions],
        [lecture !== null && deletion],
      ]
    : [
        [isNarrow && isKnown && share, isNarrow && isKnown && text],
        [
          hasRows && find,
          hasRows &&
            (hasMarks || showsMarkedOnly) &&
            entry("marked", Flag, r(showsMarkedOnly ? "marks.showAll" : "marks.showMarked"), () =>
              markedOnly.set(!showsMarkedOnly),
            ),
        ],
        [
          lecture !== null && entry("export", FileDown, t("lecture.export"), show("export")),
          lecture !== null && entry("move", FolderInput, t("lecture.move"), show("move")),
          (hasRows || hasGaps) && entry("improve", Sparkles, t("lecture.improve"), show("improve")),
          !isNarrow && isKnown && sound,
          !isNarrow && hasRows && fullScreen,
        ],
        [lecture !== null && deletion],
      ];
  const entries = groups.flatMap((group) =>
    group
      .filter((one) => one !== null && one !== false)
      .map((one, index) => (index === 0 ? { ...one, startsGroup: true } : one)),
  );
  const name = lecture ? getPageTitle(lecture, language) : r("reading.transcript");
  return (
    <>
      <Menu
        heading={name}
        trigger={{
          // Leaving full screen returns the focus to it.
          ...{ "data-overlay-toggle": "" },
          "aria-label": t("lecture.menu"),
          title: t("lecture.menu"),
          className: `touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink ${entries.length > 0 ? "" : "invisible"}`,
          children: <Ellipsis className="size-4.5" />,
        }}
        entries={entries}
      />
      <ImproveDialog document={document} open={dialog === "improve"} onClose={close} />
      {lecture && dialog === "move" ? (
        <MoveDialog
          item={{ kind: "lecture", id: lecture.id, name, from: lecture.folderId }}
          onMove={(_item, target) => void moveLecture(lecture.id, target)}
          onClose={close}
        />
      ) : null}
      {lecture && dialog === "export" ? (
        <ExportDialog
          target={{ kind: "lecture", id: lecture.id, title: name }}
          onCopy={() => {
            close();
            void copyText(formatShownText(document), r("reading.copied"), [
              r("reading.copyFailed"),
            ]);
          }}
          onClose={close}
        />
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

/** The entry that opens the window with captions, and its key; null where there is no such window. */
function useCaptions(): MenuEntry | null {
  const r = useReadingT();
  const control = useValue(captionControl);
  const isBlocked = control?.isBlocked ?? false;
  useShortcuts(control ? { w: control.toggle } : {});
  useEffect(() => {
    if (isBlocked) toastFailure(r("captions.blocked"));
  }, [isBlocked, r]);
  if (!control) return null;
  return entry(
    "captions",
    PictureInPicture2,
    r(control.isOpen ? "captions.close" : "captions.open"),
    control.toggle,
  );
}

interface ImproveDialogProps {
  document: LectureDocument;
  open: boolean;
  onClose: () => void;
}

/** What works on the whole text, each with its undo; and what became of its sound. */
function ImproveDialog({ document, open, onClose }: ImproveDialogProps) {
  const t = useT();
  const r = useReadingT();
  const undo = useValue(passUndo);
  const lectureId = useField(document.view, "lecture")?.id;
  const hasRows = useValue(document.transcript.blocks).length > 0;
  const form = (dialog: ReadingDialog) => () => readingDialog.set(dialog);
  const lines: [LucideIcon, string, () => void, boolean][] = [
    [Repeat2, r("reading.retranslate"), form({ kind: "retranslate" }), hasRows],
    [Sparkles, r("reading.improve"), form({ kind: "improve" }), hasRows],
    [AudioWaveform, r("reading.recognizeAgain"), form({ kind: "again" }), true],
    [Users, r("reading.nameSpeakers"), form({ kind: "speakers", first: null }), hasRows],
    [Images, t("lecture.slides"), form({ kind: "slides" }), lectureId !== undefined],
    [GraduationCap, r("flashcards.open"), form({ kind: "flashcards" }), hasRows],
    [AudioLines, r("reading.recordingDetails"), form({ kind: "recording" }), !!document.recorded],
  ];
  const undone = undo && undo.lectureId === lectureId ? undo : null;
  if (undone) lines.unshift([Undo2, r(`${undone.of}.undoAll`), () => undone.undo(document), true]);
  return (
    <Dialog open={open} onClose={onClose} title={t("lecture.improveTitle")}>
      <div className="grid gap-1">
        {lines.map(([Icon, label, run, isOffered]) =>
          isOffered ? (
            <button
              key={label}
              type="button"
              onClick={() => {
                onClose();
                run();
              }}
              className="touch-target -mx-3 flex items-center gap-3 rounded-s px-3 py-2 text-start transition-colors duration-150 ease-quiet hover:bg-paper-3"
            >
              <Icon className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
              {label}
            </button>
          ) : null,
        )}
      </div>
    </Dialog>
  );
}
