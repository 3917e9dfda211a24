import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useT } from "#client/i18n/files/index.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import type { ImportDialogProps } from "#client/state/library/lecture-dialogs.ts";
import { api } from "#client/state/queries.tsx";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { FileDrop } from "./file-drop.tsx";
import { ImportPreview, type ImportSettings } from "./import-preview.tsx";
import { deleteCancelledImport, importServer } from "./import-server.ts";
import type { FileError, ImportedFile } from "./read-file.ts";
import { readInWorker } from "./read-in-worker.ts";
import { type ImportJob, storeLecture } from "./store-lecture.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";

type Stage =
  | { at: "file"; refused: FileError | null }
  | { at: "preview"; file: ImportedFile }
  | { at: "work"; order: ImportJob; rows: number; failed: string | null }
  | { at: "done"; id: string; title: string; filed: boolean };

export default function ImportDialog({ folderId, onClose, onImported }: ImportDialogProps) {
  const t = useT();
  const { stage, open, start, retry, again, leave } = useImport({ folderId, onClose, onImported });
  const over = useDroppedFiles((files) => {
    if (stage.at === "file" || stage.at === "preview") open(files);
  });
  return (
    <Dialog
      open
      onClose={leave}
      title={t(stage.at === "done" ? "import.done" : "import.title")}
      {...(stage.at === "file" ? { description: t("import.text") } : {})}
      closeLabel={t("common.close")}
    >
      {stage.at === "file" ? <FileDrop refused={stage.refused} over={over} onFiles={open} /> : null}
      {stage.at === "preview" ? (
        <ImportPreview file={stage.file} onAnother={again} onImport={start} />
      ) : null}
      {stage.at === "work" ? (
        <ImportProgress
          rows={stage.rows}
          total={stage.order.rows.length}
          failed={stage.failed}
          onRetry={retry}
          onCancel={leave}
        />
      ) : null}
      {stage.at === "done" ? <ImportDone {...stage} onOpen={onClose} onClose={leave} /> : null}
    </Dialog>
  );
}

function useImport({ folderId, onClose, onImported }: ImportDialogProps) {
  const utils = api.useUtils();
  const [stage, setStage] = useState<Stage>({ at: "file", refused: null });
  /** Counts what was begun here, so that what was left tells nothing any more. */
  const turn = useRef(0);

  async function open(files: readonly File[]) {
    turn.current += 1;
    const own = turn.current;
    const [file] = files;
    if (!file) return;
    const reading =
      files.length > 1 ? { refused: { reason: "many" as const } } : await readInWorker(file);
    if (own !== turn.current) return;
    setStage(
      "file" in reading
        ? { at: "preview", file: reading.file }
        : { at: "file", refused: reading.refused },
    );
  }

  async function run(order: ImportJob) {
    const own = turn.current;
    const here = () => own === turn.current;
    setStage({ at: "work", order, rows: 0, failed: null });
    try {
      const { filed } = await storeLecture(importServer, order, (rows) => {
        if (here()) setStage({ at: "work", order, rows, failed: null });
      });
      if (!here()) return deleteCancelledImport(order.id);
      await Promise.all([utils.lectures.list.invalidate(), utils.folders.invalidate()]);
      setStage({ at: "done", id: order.id, title: order.title, filed });
    } catch (failure) {
      if (here()) setStage({ at: "work", order, rows: 0, failed: getErrorMessage(failure) });
      else await deleteCancelledImport(order.id);
    }
  }

  return {
    stage,
    open: (files: readonly File[]) => void open(files),
    start: (settings: ImportSettings) =>
      void run({ id: crypto.randomUUID(), folderId, ...settings }),
    retry() {
      if (stage.at === "work") void run(stage.order);
    },
    again: () => setStage({ at: "file", refused: null }),
    leave() {
      turn.current += 1;
      // What runs drops its lecture itself when it learns that nobody waits any more.
      if (stage.at === "work" && stage.failed !== null) void deleteCancelledImport(stage.order.id);
      if (stage.at === "done") onImported(stage.id);
      onClose();
    },
  };
}

interface ImportProgressProps {
  rows: number;
  total: number;
  failed: string | null;
  onRetry: () => void;
  onCancel: () => void;
}

function ImportProgress({ rows, total, failed, onRetry, onCancel }: ImportProgressProps) {
  const t = useT();
  return (
    <div className="grid gap-5">
      {failed === null ? (
        <p role="status" className="tabular text-ink-2">
          {t("import.busy", { done: rows, total })}
        </p>
      ) : (
        <div role="alert" className="grid gap-1">
          <p className="font-[550]">{t("import.failed")}</p>
          <p className="text-ink-2">{failed}</p>
        </div>
      )}
      <div className={footerClass}>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        {failed === null ? null : (
          <Button look="ink" onClick={onRetry}>
            {t("import.retry")}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ImportDoneProps {
  id: string;
  title: string;
  filed: boolean;
  onOpen: () => void;
  onClose: () => void;
}

function ImportDone({ id, title, filed, onOpen, onClose }: ImportDoneProps) {
  const t = useT();
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-2 text-ink-2">
        <p className="wrap-anywhere">{t("import.doneText", { title })}</p>
        {filed ? null : <p>{t("import.unfiled")}</p>}
      </div>
      <div className={footerClass}>
        <Button onClick={onClose}>{t("import.close")}</Button>
        <Link
          to="/record"
          search={{ lecture: id }}
          onClick={onOpen}
          className={getButtonClass({ look: "ink" })}
        >
          {t("import.open")}
        </Link>
      </div>
    </div>
  );
}
