import { useEffect, useRef, useState } from "react";
import { useLanguage, useT } from "../../../i18n/index.ts";
import { formatDay, formatTime } from "../../../lib/dates.ts";
import { toast } from "../../../lib/notify.ts";
import { refusalText } from "../../../lib/refusal.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { download } from "./download.ts";
import { type Choice, ExportChoice } from "./export-choice.tsx";
import { ExportFailures, ExportProgress } from "./export-progress.tsx";
import type { ExportTarget } from "./export-target.ts";
import { safeName } from "./file-names.ts";
import type { FileWords } from "./formats.ts";
import { toDocument } from "./lecture-document.ts";
import { library } from "./library.ts";
import { fileOf } from "./make-file.ts";

interface ExportDialogProps {
  target: ExportTarget;
  onClose: () => void;
}

type Stage =
  | { at: "choice" }
  | { at: "work"; progress: { done: number; total: number } | null }
  | { at: "failures"; files: number; failed: string[] };

/** Makes files of a lecture or a folder, in the browser. */
export default function ExportDialog({ target, onClose }: ExportDialogProps) {
  const t = useT();
  const name = (target.kind === "lecture" ? target.title : target.name) || t("home.untitled");
  const { stage, start, cancel } = useExport(target, onClose);

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) cancel();
      }}
      title={t(target.kind === "lecture" ? "export.title" : "export.titleFolder")}
      description={name}
      closeLabel={t("common.close")}
    >
      {stage.at === "choice" ? (
        <ExportChoice target={target} onCancel={cancel} onExport={start} />
      ) : null}
      {stage.at === "work" ? <ExportProgress progress={stage.progress} onCancel={cancel} /> : null}
      {stage.at === "failures" ? (
        <ExportFailures files={stage.files} failed={stage.failed} onClose={onClose} />
      ) : null}
    </Dialog>
  );
}

/** Runs the export; leaving the dialog calls it off. */
function useExport(target: ExportTarget, onClose: () => void) {
  const t = useT();
  const language = useLanguage();
  const [stage, setStage] = useState<Stage>({ at: "choice" });
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const untitled = t("home.untitled");
  const wordsFor = ({ createdAt }: { createdAt: string }): FileWords => ({
    date: `${formatDay(createdAt)}, ${formatTime(createdAt)}`,
    summary: t("detail.summary"),
    transcript: t("export.transcript"),
    language: language === "zh" ? "zh-Hans" : "en",
  });

  async function exportLecture(id: string, { format, sides }: Choice, signal: AbortSignal) {
    const lecture = await library.lecture(id, signal);
    const made = toDocument(lecture, untitled);
    const request = { lecture: made, format, sides, words: wordsFor(lecture) };
    download(await fileOf(request, signal), `${safeName(made.title, untitled)}.${format}`);
    return true;
  }

  /** False where some of the folder is missing, which stays in sight. */
  async function exportFolder(id: string, name: string, choice: Choice, signal: AbortSignal) {
    const { zipOfFolder } = await import("./folder-zip.ts");
    const onProgress = (done: number, total: number) => {
      if (!signal.aborted) setStage({ at: "work", progress: { done, total } });
    };
    const request = { folderId: id, ...choice, untitled, wordsFor };
    const { zip, files, failed } = await zipOfFolder(library, request, { signal, onProgress });
    if (files > 0 || failed.length === 0) download(zip, `${safeName(name, untitled)}.zip`);
    if (failed.length > 0) setStage({ at: "failures", files, failed });
    return failed.length === 0;
  }

  async function start(choice: Choice) {
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    setStage({ at: "work", progress: null });
    try {
      const done =
        target.kind === "lecture"
          ? await exportLecture(target.id, choice, signal)
          : await exportFolder(target.id, target.name, choice, signal);
      if (!done) return;
      toast({ kind: "success", title: t("export.done") });
      onClose();
    } catch (failure) {
      if (signal.aborted) return;
      toast({ kind: "failure", title: t("export.failed"), description: refusalText(failure) });
      setStage({ at: "choice" });
    }
  }

  return {
    stage,
    start,
    cancel() {
      work.current?.abort();
      onClose();
    },
  };
}
