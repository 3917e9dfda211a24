import { Copy, Maximize2, Minimize2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useField, useValue } from "#client/lib/hooks.ts";
import { copyText, toast, toastFailure } from "#client/lib/notifications.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Dialog } from "#client/ui/dialog.tsx";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import { DemoMark } from "./demo-mark.tsx";
import { useT } from "./dialog-messages/index.ts";
import { openRow } from "./search-target.ts";
import { type OpenSheetProps, Sheet } from "./sheet.tsx";
import { SummaryEditor } from "./summary-editor.tsx";
import { listRowTimes } from "./summary-rows.ts";
import { SummaryTemplateForm } from "./summary-template-form.tsx";

interface SummarySheetProps extends OpenSheetProps {
  signedIn: boolean;
  /** In full screen. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** The summary, with what can be done with it. */
export default function SummarySheet({
  lecture,
  signedIn,
  opener,
  expanded,
  onExpand,
  onClose,
}: SummarySheetProps) {
  const t = useT();
  const { text, state } = useValue(lecture.summary);
  const hasDemoText = useField(lecture.view, "hasDemoText");
  /** The text as it was when its editing began; null while it is only read. */
  const [before, setBefore] = useState<string | null>(null);
  const editing = before !== null;
  const [isTemplateOpen, setTemplateOpen] = useState(false);
  const blocks = useValue(lecture.transcript.blocks);
  const times = useMemo(() => listRowTimes(blocks), [blocks]);
  const generating = state === "generating";
  // A wide full screen shows the field in any case.
  const fieldClass = expanded ? "book:hidden" : "";
  const otherClass = !editing ? "" : expanded ? "max-book:hidden" : "hidden!";
  const Expand = expanded ? Minimize2 : Maximize2;

  function generate(template?: SummaryTemplate) {
    setTemplateOpen(false);
    setBefore(null);
    void lecture.generateSummary(template);
  }

  function showRow(position: number) {
    if (expanded) onExpand(false);
    if (!isBesideRows()) onClose();
    openRow({ position });
  }

  function cancel() {
    setBefore(null);
    if (before !== null) lecture.setSummary(before);
  }

  /** Saving goes on by itself in any case: the button says whether it is done. */
  async function save() {
    setBefore(null);
    if (await lecture.saveNow()) toast({ kind: "success", title: t("summary.saved") });
    else toastFailure(t("summary.saveFailed"));
  }

  return (
    <Sheet
      title={t("summary.title")}
      closeLabel={t("summary.hide")}
      opener={opener}
      onClose={onClose}
      expanded={expanded}
      onCollapse={() => onExpand(false)}
      tools={
        <IconButton
          icon={Expand}
          label={t(expanded ? "reading.collapse" : "summary.expand")}
          data-overlay-toggle
          onClick={() => onExpand(!expanded)}
        />
      }
      className="grid-rows-[auto_auto_auto_minmax(0,1fr)]"
    >
      <div className="px-5 max-book:px-4">
        {/* Otherwise the transcript beside it has one. */}
        {hasDemoText && expanded ? <DemoMark className="mt-1 mb-2 w-fit" /> : null}
      </div>
      {lecture.isReadOnly ? (
        <div className="h-2" />
      ) : (
        <div className="grid gap-2 px-5 pb-3 max-book:px-4">
          <div className="flex items-center gap-1.5">
            <Button
              look={text ? "plain" : "quiet"}
              size="small"
              disabled={generating}
              onClick={() => (editing && signedIn ? void save() : setBefore(editing ? null : text))}
              className={fieldClass}
            >
              {t(editing ? (signedIn ? "summary.save" : "summary.read") : "summary.edit")}
            </Button>
            {editing ? (
              <Button look="quiet" size="small" onClick={cancel} className={fieldClass}>
                {t("common.cancel")}
              </Button>
            ) : null}
            {text && !generating ? (
              <IconButton
                icon={Copy}
                label={t("summary.copy")}
                onClick={() => void copyText(text, t("summary.copied"), [t("summary.copyFailed")])}
                className={`size-8 ${otherClass}`}
              />
            ) : null}
            <Button
              look={text ? "quiet" : "plain"}
              size="small"
              disabled={generating}
              onClick={() => (text ? setTemplateOpen(true) : generate())}
              className={`ml-auto ${otherClass}`}
            >
              {t(
                generating
                  ? "summary.generating"
                  : text
                    ? "summary.generateAgain"
                    : "summary.generate",
              )}
            </Button>
          </div>
          <p role="status" className={state === "failed" ? "text-warn text-sm" : "sr-only"}>
            {state === "failed" ? t("summary.failed") : null}
            {generating ? t("summary.generating") : null}
          </p>
          {text || generating || editing ? null : (
            <div className="grid justify-items-start gap-1">
              <p className="text-pretty text-ink-3 text-sm">
                {t(signedIn ? "summary.empty" : "summary.guest")}
              </p>
              {signedIn ? (
                <Button
                  look="quiet"
                  size="small"
                  onClick={() => setTemplateOpen(true)}
                  className="-ml-2.5"
                >
                  {t("summary.chooseTemplate")}
                </Button>
              ) : null}
            </div>
          )}
        </div>
      )}
      <SummaryEditor
        {...{ text, generating, editing, expanded, times }}
        onOpenRow={showRow}
        onChange={lecture.isReadOnly ? null : (next) => lecture.setSummary(next)}
      />
      <Dialog
        open={isTemplateOpen}
        onClose={() => setTemplateOpen(false)}
        title={t(text ? "summary.replaceTitle" : "summary.generateTitle")}
      >
        <SummaryTemplateForm
          replaces={text !== ""}
          onCancel={() => setTemplateOpen(false)}
          onGenerate={generate}
        />
      </Dialog>
    </Sheet>
  );
}

/** Whether the sheet leaves the rows their place; otherwise it covers them. See `Sheet`. */
function isBesideRows(): boolean {
  const width = document.querySelector("[data-sheet]")?.parentElement?.clientWidth ?? 0;
  return width >= 62 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
