import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useT } from "#client/i18n/export-import/index.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toast } from "#client/lib/notifications.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { isMediaFile } from "#client/sound/media-files/media-file.ts";
import type { ImportDialogProps } from "#client/state/library/lecture-dialogs.ts";
import { api } from "#client/state/queries.tsx";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { useDroppedFiles } from "#client/ui/use-dropped-files.ts";
import { backupMessages } from "./backup/messages/index.ts";
import { FileDrop } from "./file-drop.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { deleteCancelledImport, importServer } from "./import-server.ts";
import { MediaForm } from "./media/media-form.tsx";
import type { FileError, ImportedFile } from "./read-file.ts";
import { readInWorker } from "./read-in-worker.ts";
import { AddressForm } from "./remote/address-form.tsx";
import { remoteMessages } from "./remote/messages/index.ts";
import { useGivenAddress } from "./remote/use-given-address.ts";
import { type ImportJob, storeLecture } from "./store-lecture.ts";

const RemoteView = lazyPart(() => import("./remote/remote-view.tsx"), remoteMessages);
const RestoreForm = lazyPart(() => import("./backup/restore-form.tsx"), backupMessages);

type ImportState =
  /** `address`: what was fetched before. */
  | { step: "file"; error: FileError | null; address?: string }
  | { step: "remote"; address: string }
  | { step: "media"; files: readonly File[] }
  | { step: "backup"; file: File }
  | { step: "preview"; source: File; file: ImportedFile }
  | { step: "work"; job: ImportJob; rows: number; failed: string | null }
  | { step: "done"; id: string; title: string; filed: boolean };

export default function ImportDialog({ folderId, files, onClose, onImported }: ImportDialogProps) {
  const t = useT();
  const { state, operation, open, fetchFrom, run, again, leave } = useImport({
    onClose,
    onImported,
  });
  const openFirst = useEffectEvent(() => {
    if (files) void open(files);
  });
  useEffect(() => openFirst(), []);
  const title = { done: "import.done", backup: "import.titleBackup" } as const;
  const draggedOver = useDroppedFiles((files) => {
    if (state.step === "file" || state.step === "media" || state.step === "preview") open(files);
  });
  useGivenAddress(fetchFrom, state.step === "file");
  return (
    <Dialog
      open
      onClose={leave}
      title={t(
        state.step === "done" || state.step === "backup" ? title[state.step] : "import.title",
      )}
      {...(state.step === "file" && { description: t("import.text") })}
    >
      {state.step === "file" ? (
        <>
          <FileDrop error={state.error} isDraggedOver={draggedOver !== null} onFiles={open} />
          <AddressForm address={state.address ?? ""} onAddress={fetchFrom} />
        </>
      ) : null}
      {state.step === "remote" ? (
        <Suspense>
          <RemoteView
            key={operation}
            address={state.address}
            onFile={(file) => open([file])}
            onAnother={again}
            onCancel={again}
          />
        </Suspense>
      ) : null}
      {state.step === "media" ? (
        <MediaForm
          key={operation}
          files={state.files}
          folderId={folderId}
          onCancel={again}
          onStarted={() => {
            toast({ kind: "info", title: t("media.started"), description: t("media.startedText") });
            onClose();
          }}
        />
      ) : null}
      {state.step === "backup" ? (
        <Suspense>
          <RestoreForm key={operation} file={state.file} onAnother={again} onClose={onClose} />
        </Suspense>
      ) : null}
      {state.step === "preview" ? (
        <ImportPreview
          key={operation}
          file={state.file}
          onEncoding={(encoding) => open([state.source], encoding)}
          onAnother={again}
          onImport={(settings) => run({ id: crypto.randomUUID(), folderId, ...settings })}
        />
      ) : null}
      {state.step === "work" ? (
        <div className="flex flex-col gap-5">
          {state.failed === null ? (
            <p role="status" className="tabular text-ink-2">
              {t("import.busy", { done: state.rows, total: state.job.rows.length })}
            </p>
          ) : (
            <div role="alert" className="grid gap-1">
              <p className="font-[550]">{t("import.failed")}</p>
              <p className="text-ink-2">{state.failed}</p>
            </div>
          )}
          <div className={footerClass}>
            <Button onClick={leave}>{t("common.cancel")}</Button>
            {state.failed === null ? null : (
              <Button look="ink" onClick={() => run(state.job)}>
                {t("import.retry")}
              </Button>
            )}
          </div>
        </div>
      ) : null}
      {state.step === "done" ? (
        <div className="flex flex-col gap-5">
          <div role="status" className="grid gap-2 text-ink-2">
            <p className="wrap-anywhere">{t("import.doneText", { title: state.title })}</p>
            {state.filed ? null : <p>{t("import.unfiled")}</p>}
          </div>
          <div className={footerClass}>
            <Button onClick={leave}>{t("import.close")}</Button>
            <Link
              to="/record"
              search={{ lecture: state.id }}
              onClick={onClose}
              className={getButtonClass({ look: "ink" })}
            >
              {t("import.open")}
            </Link>
          </div>
        </div>
      ) : null}
    </Dialog>
  );
}

const isZip = ({ name }: File) => /\.zip$/i.test(name);

function useImport({ onClose, onImported }: Omit<ImportDialogProps, "folderId" | "files">) {
  const utils = api.useUtils();
  const [state, setState] = useState<ImportState>({ step: "file", error: null });
  /** Incremented by each operation, so that an older one does not update the state. */
  const operation = useRef(0);

  async function open(files: readonly File[], encoding: TextEncoding | null = null) {
    operation.current += 1;
    const id = operation.current;
    const [file] = files;
    if (!file) return;
    if (files.every(isMediaFile)) {
      setState({ step: "media", files });
      return;
    }
    if (files.length === 1 && isZip(file)) {
      setState({ step: "backup", file });
      return;
    }
    const reading =
      files.length > 1
        ? { error: { reason: "many" as const } }
        : await readInWorker({ file, encoding });
    if (id !== operation.current) return;
    setState(
      "file" in reading
        ? { step: "preview", source: file, file: reading.file }
        : { step: "file", error: reading.error },
    );
  }

  function fetchFrom(address: string) {
    operation.current += 1;
    setState({ step: "remote", address });
  }

  async function run(job: ImportJob) {
    const id = operation.current;
    const isCurrent = () => id === operation.current;
    setState({ step: "work", job, rows: 0, failed: null });
    try {
      const { filed } = await storeLecture(importServer, job, (rows) => {
        if (isCurrent()) setState({ step: "work", job, rows, failed: null });
      });
      if (!isCurrent()) return deleteCancelledImport(job.id);
      await Promise.all([utils.lectures.list.invalidate(), utils.folders.invalidate()]);
      setState({ step: "done", id: job.id, title: job.title, filed });
    } catch (failure) {
      if (isCurrent()) setState({ step: "work", job, rows: 0, failed: getErrorMessage(failure) });
      else await deleteCancelledImport(job.id);
    }
  }

  return {
    state,
    operation: operation.current,
    open,
    fetchFrom,
    run,
    again() {
      const address = state.step === "remote" ? state.address : "";
      setState({ step: "file", error: null, address });
    },
    leave() {
      operation.current += 1;
      // A running import deletes its lecture itself when it is no longer current.
      if (state.step === "work" && state.failed !== null) void deleteCancelledImport(state.job.id);
      if (state.step === "done") onImported(state.id);
      onClose();
    },
  };
}
