import { Camera, FileUp, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { useCoarsePointer } from "#client/lib/media-queries.ts";
import { openRow } from "#client/reading/search-target.ts";
import { describeSlide } from "#client/reading/slides/slide-view.tsx";
import {
  openSlide,
  rowSlides,
  type ShownSlide,
  shownSlides,
  slideControl,
} from "#client/reading/slides/slides-state.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { Button, getButtonClass, IconButton } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { slidesMax } from "#shared/limits.ts";
import { droppedSlides } from "./dropped-slides.ts";
import { useT } from "./messages/index.ts";
import type { SlideQueue } from "./slide-queue.ts";
import { useSlideFiles } from "./use-slide-files.ts";

interface SlidesDialogProps {
  lecture: LectureDocument;
  lectureId: string;
  queue: SlideQueue;
  open: boolean;
  onClose: () => void;
}

/** Adds slides to a lecture, and lists those that it has. */
export default function SlidesDialog(props: SlidesDialogProps) {
  const { lecture, lectureId, queue, open, onClose } = props;
  const t = useT();
  const slides = useValue(shownSlides);
  const waiting = useValue(queue.waiting).filter((one) => one.lectureId === lectureId).length;
  const dropped = useValue(droppedSlides);
  const files = useSlideFiles(lecture, lectureId, queue);
  const [isDeleting, setDeleting] = useState(false);
  const [termsFile, setTermsFile] = useState<File | null>(null);
  const { TermsDialog } = useLectureDialogs();
  const folderId = useField(lecture.view, "lecture")?.folderId ?? null;
  const isReading = files.progress !== null;
  const addDropped = useEffectEvent((given: readonly File[]) => {
    droppedSlides.set(null);
    void files.add(given);
  });
  useEffect(() => {
    if (open && dropped) addDropped(dropped);
  }, [open, dropped]);

  return (
    <Dialog open={open} onClose={onClose} title={t("slides.title")} description={t("slides.text")}>
      {files.progress ? (
        <div className="grid gap-2" role="status">
          <p className="tabular text-sm wrap-anywhere">
            {files.progress.total === null
              ? t("slides.reading", { file: files.progress.file })
              : t("slides.drawing", { ...files.progress, total: files.progress.total })}
          </p>
          <ProgressBar
            label={t("slides.title")}
            {...(files.progress.total !== null && {
              max: files.progress.total,
              value: files.progress.done,
            })}
          />
        </div>
      ) : null}
      {files.problem ? (
        <p role="alert" className="text-pretty text-sm text-warn wrap-anywhere">
          {t(`slides.refused.${files.problem.problem}`, {
            file: files.problem.file,
            count: slidesMax,
          })}
        </p>
      ) : null}
      {slides.length > 0 ? (
        <SlideList lecture={lecture} slides={slides} onClose={onClose} />
      ) : (
        <p className="text-ink-3 text-sm">{t("slides.none")}</p>
      )}
      {waiting > 0 && !isReading ? (
        <p role="status" className="tabular text-ink-3 text-sm">
          {t("slides.waiting", { count: waiting })}
        </p>
      ) : null}
      {files.added && !isReading ? (
        <Button
          size="small"
          onClick={() => setTermsFile(files.added)}
          className="justify-self-start self-start"
        >
          {t("slides.terms")}
        </Button>
      ) : null}
      <div className={footerClass}>
        {slides.length > 1 && !isReading ? (
          <Button look="quiet" onClick={() => setDeleting(true)} className="mr-auto">
            {t("slides.deleteAll")}
          </Button>
        ) : null}
        {isReading ? (
          <Button onClick={files.cancel}>{t("slides.cancel")}</Button>
        ) : (
          <AddButtons onFiles={files.add} />
        )}
      </div>
      {termsFile ? (
        <TermsDialog folderId={folderId} file={termsFile} onClose={() => setTermsFile(null)} />
      ) : null}
      <ConfirmDialog
        open={isDeleting}
        title={t("slides.deleteAllTitle", { count: slides.length })}
        text={t("slides.deleteAllText")}
        confirmLabel={t("slides.deleteAll")}
        onClose={() => setDeleting(false)}
        onConfirm={() => slideControl.get()?.remove(slides.map(({ id }) => id))}
      />
    </Dialog>
  );
}

function AddButtons({ onFiles }: { onFiles: (files: readonly File[]) => Promise<void> }) {
  const t = useT();
  const isPhone = useCoarsePointer();
  return (
    <>
      {isPhone ? (
        <FileButton
          accept="image/*"
          capture
          icon={<Camera className="size-4 shrink-0" />}
          label={t("slides.camera")}
          onFiles={onFiles}
        />
      ) : null}
      <FileButton
        accept=".pdf,application/pdf,image/jpeg,image/png,image/webp"
        icon={<FileUp className="size-4 shrink-0" />}
        label={t("slides.add")}
        onFiles={onFiles}
      />
    </>
  );
}

interface FileButtonProps {
  accept: string;
  /** Takes a photograph. */
  capture?: boolean;
  icon: ReactNode;
  label: string;
  onFiles: (files: readonly File[]) => Promise<void>;
}

const FileButton = ({ accept, capture = false, icon, label, onFiles }: FileButtonProps) => (
  <label
    className={`${getButtonClass({ look: capture ? "plain" : "ink" })} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2`}
  >
    {icon}
    {label}
    <input
      type="file"
      multiple={!capture}
      accept={accept}
      {...(capture && { capture: "environment" })}
      onChange={(event) => {
        void onFiles([...(event.target.files ?? [])]);
        // Otherwise choosing the same file again would cause no event.
        event.target.value = "";
      }}
      className="absolute inset-0 cursor-pointer opacity-0"
    />
  </label>
);

interface SlideListProps {
  lecture: LectureDocument;
  slides: readonly ShownSlide[];
  onClose: () => void;
}

function SlideList({ lecture, slides, onClose }: SlideListProps) {
  const t = useT();
  const groups = useValue(rowSlides);
  const rows = new Map(lecture.transcript.rows().map((row) => [row.id, row]));
  const places = new Map(
    [...groups].flatMap(([rowId, group]) => group.map(({ id }) => [id, rows.get(rowId)] as const)),
  );
  return (
    <ul className="-mx-2 grid">
      {slides.map((slide) => {
        const row = places.get(slide.id);
        return (
          <li
            key={slide.id}
            className="flex items-center gap-1 [content-visibility:auto] [contain-intrinsic-size:auto_4rem]"
          >
            <button
              type="button"
              onClick={() => {
                onClose();
                openSlide.set(slide.id);
                if (row) openRow({ position: row.ordinal, startMs: row.startMs });
              }}
              className="flex min-w-0 flex-1 items-center gap-3 rounded-s px-2 py-1.5 text-start transition-colors duration-150 ease-quiet hover:bg-paper-3"
            >
              <img
                src={slide.thumbnail}
                alt=""
                loading="lazy"
                decoding="async"
                width={80}
                height={45}
                className="h-[2.8125rem] w-20 shrink-0 rounded-s border border-rule bg-paper-3 object-contain"
              />
              <span className="min-w-0">
                <span className="block truncate">{describeSlide(slide, t)}</span>
                <span className="block truncate text-ink-3 text-sm">
                  {row ? row.original : t("slides.notPlaced")}
                </span>
              </span>
            </button>
            <IconButton
              icon={Trash2}
              label={t("slides.delete")}
              onClick={() => slideControl.get()?.remove([slide.id])}
            />
          </li>
        );
      })}
    </ul>
  );
}
