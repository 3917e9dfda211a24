import { Copy, Maximize2, Minimize2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useField, useValue } from "#client/lib/hooks.ts";
import { copyText, toast } from "#client/lib/notifications.ts";
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
  const { text, draft, state } = useValue(lecture.summary);
  const hasDemoText = useField(lecture.view, "hasDemoText");
  const [isTemplateOpen, setTemplateOpen] = useState(false);
  const blocks = useValue(lecture.transcript.blocks);
  const times = useMemo(() => listRowTimes(blocks), [blocks]);
  const generating = state === "generating";
  const saving = state === "saving";
  const editing = draft !== null && !generating;
  const isReplaced = text !== "" || !!draft;
  // A wide full screen shows the field in any case.
  const otherClass = !editing ? "" : expanded ? "max-book:hidden" : "hidden!";
  const Expand = expanded ? Minimize2 : Maximize2;

  function generate(template?: SummaryTemplate) {
    setTemplateOpen(false);
    void lecture.generateSummary(template);
  }

  function showRow(ordinal: number) {
    if (expanded) onExpand(false);
    if (!isBesideRows()) onClose();
    openRow({ position: ordinal });
  }

  async function save() {
    const isSaved = await lecture.saveSummary();
    // A guest's is only on this page.
    if (isSaved && signedIn) toast({ kind: "success", title: t("summary.saved") });
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
          <div className="flex flex-wrap items-center gap-1.5">
            {editing ? (
              <>
                <Button size="small" disabled={saving} onClick={() => void save()}>
                  {t(saving ? "summary.saving" : signedIn ? "summary.save" : "summary.read")}
                </Button>
                <Button
                  look="quiet"
                  size="small"
                  disabled={saving}
                  onClick={() => lecture.editSummary(null)}
                >
                  {t("common.cancel")}
                </Button>
              </>
            ) : (
              <Button
                size="small"
                disabled={generating}
                onClick={() => lecture.editSummary(text)}
                className={expanded ? "book:hidden" : ""}
              >
                {t(text ? "summary.edit" : "summary.write")}
              </Button>
            )}
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
              disabled={generating || saving}
              onClick={() => (isReplaced ? setTemplateOpen(true) : generate())}
              className={`ml-auto ${otherClass}`}
            >
              {t(generating ? "summary.generating" : "summary.generate")}
            </Button>
          </div>
          <p role="status" className="sr-only">
            {generating ? t("summary.generating") : saving ? t("summary.saving") : null}
          </p>
          {text || generating || editing ? null : (
            <div className="grid justify-items-start gap-1">
              <p className="text-ink-2">{t("summary.none")}</p>
              {signedIn ? (
                <Button
                  look="quiet"
                  size="small"
                  onClick={() => setTemplateOpen(true)}
                  className="-ml-2.5"
                >
                  {t("summary.chooseTemplate")}
                </Button>
              ) : (
                <p className="text-pretty text-ink-3 text-sm">{t("summary.guest")}</p>
              )}
            </div>
          )}
        </div>
      )}
      <SummaryEditor
        text={generating ? text : (draft ?? text)}
        generating={generating}
        isLocked={state !== "idle"}
        editing={editing}
        expanded={expanded}
        times={times}
        onOpenRow={showRow}
        onChange={lecture.isReadOnly ? null : (next) => lecture.editSummary(next)}
      />
      <Dialog
        open={isTemplateOpen}
        onClose={() => setTemplateOpen(false)}
        title={t(isReplaced ? "summary.replaceTitle" : "summary.generateTitle")}
      >
        <SummaryTemplateForm
          replaces={isReplaced}
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
