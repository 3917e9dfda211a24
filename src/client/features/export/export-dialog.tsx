import { useEffect, useRef, useState } from "react";
import { getLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { callServer } from "#client/lib/call-server.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toSafeName } from "#client/lib/file-names.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { download } from "#client/state/download.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { fetchGlossary } from "#client/state/library/glossary.ts";
import type { ExportDialogProps, ExportTarget } from "#client/state/library/lecture-dialogs.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { readSlidePicture } from "#client/state/slide-pictures.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { resolveTerms } from "#shared/glossary.ts";
import { lecturePageSize } from "#shared/limits.ts";
import { type ExportChoice, ExportForm } from "./export-form.tsx";
import type { LibraryReader } from "./folder-zip.ts";
import type { FileLabels, FileOptions } from "./formats.ts";
import { saveFile } from "./save-file.ts";

const libraryReader: LibraryReader = {
  folders: (signal) => callServer(() => trpc.folders.list.query(undefined, { signal }), signal),
  lectures: async (folderId, cursor, signal) => {
    const page = await callServer(
      () => trpc.lectures.list.query({ folderId, cursor, limit: lecturePageSize }, { signal }),
      signal,
    );
    const items = page.items.map((item) => ({ ...item, title: getPageTitle(item, getLanguage()) }));
    return { ...page, items };
  },
  glossary: fetchGlossary,
  lecture: (id, signal) => callServer(() => fetchLecture(id, { signal }), signal),
};

type ExportState =
  | { step: "choice" }
  /** `progress`: lectures of a folder; null for a single lecture and until they are counted. */
  | { step: "work"; progress: { done: number; total: number } | null }
  | { step: "failures"; files: number; failed: string[] };

export default function ExportDialog({ target, onCopy, onClose }: ExportDialogProps) {
  const t = useT();
  const name =
    target.kind === "everything"
      ? t("export.allText")
      : (target.kind === "lecture" ? target.title : target.name) || t("home.untitled");
  const { state, start, startAll, cancel } = useExport(target, onClose);

  return (
    <Dialog open onClose={cancel} title={t(titles[target.kind])} description={name}>
      {state.step === "choice" && target.kind === "everything" ? (
        <div className={footerClass}>
          <Button onClick={cancel}>{t("common.cancel")}</Button>
          <Button look="ink" onClick={startAll}>
            {t("export.confirm")}
          </Button>
        </div>
      ) : null}
      {state.step === "choice" && target.kind !== "everything" ? (
        <ExportForm
          target={target}
          onCopy={onCopy}
          onCancel={cancel}
          onExport={start}
          onPrint={onClose}
        />
      ) : null}
      {state.step === "work" ? (
        <div className="flex flex-col gap-5">
          <div className="grid gap-2.5">
            <p role="status" className="tabular text-ink-2">
              {state.progress === null ? t("export.busy") : t("export.progress", state.progress)}
            </p>
            {state.progress === null ? null : (
              <ProgressBar
                label={t("export.busy")}
                value={state.progress.done}
                max={Math.max(1, state.progress.total)}
              />
            )}
          </div>
          <div className={footerClass}>
            <Button onClick={cancel}>{t("common.cancel")}</Button>
          </div>
        </div>
      ) : null}
      {state.step === "failures" ? (
        <div className="flex min-w-0 flex-col gap-5">
          <div role="alert" className="grid min-w-0 gap-2">
            <p className="text-ink-2">
              {t("export.missing", { failed: state.failed.length, files: state.files })}
            </p>
            <ul className="grid max-h-56 gap-1 overflow-y-auto rounded-m bg-paper-2 px-3.5 py-2.5 text-sm">
              {state.failed.map((path) => (
                <li key={path} className="wrap-anywhere">
                  {path}
                </li>
              ))}
            </ul>
          </div>
          <div className={footerClass}>
            <Button look="ink" onClick={onClose}>
              {t("common.ok")}
            </Button>
          </div>
        </div>
      ) : null}
    </Dialog>
  );
}

const titles = {
  lecture: "export.title",
  folder: "export.titleFolder",
  everything: "export.titleAll",
} as const;

function useExport(target: ExportTarget, onClose: () => void) {
  const t = useT();
  const language = useLanguage();
  const [state, setState] = useState<ExportState>({ step: "choice" });
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const getLabels = ({ createdAt }: { createdAt: string }): FileLabels => ({
    date: formatMoment(createdAt, language),
    summary: t("lecture.summary"),
    actions: t("export.actions"),
    transcript: t("export.transcript"),
    note: t("export.note"),
    terms: t("export.terms"),
    slide: t("export.slide"),
    language: language === "zh" ? "zh-Hans" : "en",
  });

  const showProgress = (signal: AbortSignal) => (done: number, total: number) => {
    if (!signal.aborted) setState({ step: "work", progress: { done, total } });
  };

  /** Resolves to false if the file is not saved, or lectures are missing; the dialog then lists them. */
  async function saveZip(
    { zip, files, failed }: { zip: Blob; files: number; failed: string[] },
    name: string,
  ) {
    const isComplete = failed.length === 0;
    const hasFile = files > 0 || isComplete;
    const isSaved = hasFile && (await download(zip, `${name}.zip`));
    if (!isComplete) setState({ step: "failures", files, failed });
    return isComplete && isSaved;
  }

  async function exportFolder(
    { id, name }: Extract<ExportTarget, { kind: "folder" }>,
    options: FileOptions,
    signal: AbortSignal,
  ) {
    const { zipFolder } = await import("./folder-zip.ts");
    const made = await zipFolder(libraryReader, id, {
      ...options,
      signal,
      onProgress: showProgress(signal),
    });
    return saveZip(made, toSafeName(name, options.untitled));
  }

  async function exportAll(signal: AbortSignal) {
    const [{ createBackup }, { listBackupSound, readBackupSound }] = await Promise.all([
      import("./backup/create-backup.ts"),
      import("#client/state/backup-sound.ts"),
    ]);
    const source = {
      server: trpc,
      listSound: listBackupSound,
      readSound: readBackupSound,
      readPicture: readSlidePicture,
    };
    const options = { untitled: t("home.untitled"), signal, onProgress: showProgress(signal) };
    // Swedish dates are those of ISO 8601.
    const day = new Date().toLocaleDateString("sv");
    return saveZip(await createBackup(source, options), `Dualect ${day}`);
  }

  async function start(choice: ExportChoice) {
    const { hasTerms, hasSlides, ...shape } = choice;
    const readTerms = async (folderId: string | null) =>
      resolveTerms(await libraryReader.glossary(folderId));
    const readSlides: FileOptions["readSlides"] = async (...lecture) =>
      (await import("./read-slides.ts")).readSlides(...lecture);
    const options: FileOptions = {
      ...shape,
      untitled: t("home.untitled"),
      getLabels,
      readTerms: hasTerms ? readTerms : undefined,
      readSlides: hasSlides ? readSlides : undefined,
    };
    await run(async (signal) => {
      if (target.kind === "folder") return exportFolder(target, options, signal);
      if (target.kind === "everything") return true;
      return saveFile(await libraryReader.lecture(target.id, signal), options, signal);
    });
  }

  /** Calls `save`, which resolves to false if it, or the dialog, has something to say. */
  async function run(save: (signal: AbortSignal) => Promise<boolean>) {
    work.current = new AbortController();
    const { signal } = work.current;
    setState({ step: "work", progress: null });
    try {
      if (!(await save(signal))) {
        setState((now) => (now.step === "work" ? { step: "choice" } : now));
        return;
      }
      toast({ kind: "success", title: t("export.done") });
      onClose();
    } catch (failure) {
      if (signal.aborted) return;
      toastFailure(t("export.failed"), getErrorMessage(failure));
      setState({ step: "choice" });
    }
  }

  function cancel() {
    work.current?.abort();
    onClose();
  }

  return { state, start, startAll: () => run(exportAll), cancel };
}
