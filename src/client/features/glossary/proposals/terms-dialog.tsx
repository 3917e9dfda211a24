import { useEffect, useRef, useState } from "react";
import {
  type FileProblem,
  fileMaxBytes,
  filePagesMax,
  termFileExtensions,
} from "#client/features/glossary/files/file-text.ts";
import type { TermsDialogProps } from "#client/state/library/lecture-dialogs.ts";
import { Button } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { FileChoice } from "#client/ui/file-choice.tsx";
import { useDroppedFiles } from "#client/ui/use-dropped-files.ts";
import { useT } from "./messages/index.ts";
import { ProposalSettings } from "./proposal-settings.tsx";
import { ProposalsForm } from "./proposals-form.tsx";
import { useFileTerms } from "./use-file-terms.ts";

const limits = { megabytes: fileMaxBytes / (1024 * 1024), pages: filePagesMax };

/** Proposes a file's terms. What the person takes of them enters the glossary of a folder. */
export default function TermsDialog({ folderId: initialId, file, onClose }: TermsDialogProps) {
  const t = useT();
  const { step, open, propose, restart } = useFileTerms(file);
  const [folderId, setFolderId] = useState(initialId);
  /** Terms are chosen that would be lost. */
  const [hasChosen, setHasChosen] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const draggedOver = useDroppedFiles(
    (files) => void open(files),
    () => step.kind === "file" || step.kind === "read",
  );
  // The element that had the focus is gone with its step.
  const content = useRef<HTMLDivElement>(null);
  const { kind } = step;
  useEffect(() => {
    if (kind !== "file") content.current?.focus();
  }, [kind]);
  const isNamed = step.kind === "read" || step.kind === "proposals";
  const title = isNamed ? t("proposals.titleOf", { name: step.name }) : t("proposals.title");
  const leave = () => (hasChosen ? setIsLeaving(true) : onClose());

  return (
    <Dialog
      open
      onClose={leave}
      title={title}
      isWide={step.kind === "proposals"}
      {...(step.kind === "file" && { description: t("proposals.intro") })}
    >
      <div ref={content} tabIndex={-1} className="grid min-w-0 outline-none">
        {step.kind === "file" ? (
          <FileChoice
            title={t("proposals.drop")}
            hint={t("proposals.dropHint", limits)}
            label={t("proposals.choose")}
            extensions={termFileExtensions}
            error={
              step.problem && t(`proposals.refused.${step.problem satisfies FileProblem}`, limits)
            }
            isDraggedOver={draggedOver !== null}
            onFiles={(files) => void open(files)}
          />
        ) : null}
        {step.kind === "reading" ? (
          <div className="flex flex-col gap-5">
            <p role="status" className="tabular text-ink-2">
              {step.total > 1
                ? t("proposals.reading.page", { done: step.done + 1, total: step.total })
                : t("proposals.reading")}
            </p>
            <div className={footerClass}>
              <Button onClick={restart}>{t("common.cancel")}</Button>
            </div>
          </div>
        ) : null}
        {step.kind === "read" ? (
          <ProposalSettings
            {...step}
            folderId={folderId}
            setFolderId={setFolderId}
            onAnother={restart}
            onPropose={(languages) => void propose(step.hasModel, languages)}
          />
        ) : null}
        {step.kind === "proposals" ? (
          <ProposalsForm
            {...step}
            folderId={folderId}
            setFolderId={setFolderId}
            setHasChosen={setHasChosen}
            key={step.isModel ? "model" : "count"}
            onAskModel={() => void propose(true, step)}
            onCancel={leave}
            onAdded={onClose}
          />
        ) : null}
      </div>
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setIsLeaving(false)}
        title={t("proposals.leave")}
        text={t("proposals.leaveText")}
        confirmLabel={t("proposals.discard")}
        onConfirm={onClose}
      />
    </Dialog>
  );
}
