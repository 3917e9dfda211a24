import { Copy, Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { copyText, toast } from "#client/lib/notifications.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Dialog } from "#client/ui/dialog.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import { actionItemMessages } from "./action-items/messages/index.ts";
import { DemoMark } from "./demo-mark.tsx";
import { useT } from "./dialog-messages/index.ts";
import type { PartProps } from "./reading-state.ts";
import { openRow } from "./search-target.ts";
import { SummaryField, SummaryText } from "./summary-editor.tsx";
import { listRowTimes } from "./summary-rows.ts";
import { SummaryTemplateForm } from "./summary-template-form.tsx";

const ActionItems = lazyPart(() => import("./action-items/action-items.tsx"), actionItemMessages);

/** What is written is kept this long after the last change, ms. */
const keepDelayMs = 2_000;

interface SummaryPartProps extends PartProps {
  signedIn: boolean;
  /** In full screen, with the field beside the text. */
  expanded: boolean;
  /** Full screen is larger than its place. */
  canExpand: boolean;
  onExpand: (expanded: boolean) => void;
}

/** The summary, with what can be done with it. */
export default function SummaryPart(props: SummaryPartProps) {
  const { lecture, signedIn, showText, expanded, canExpand, onExpand } = props;
  const t = useT();
  const { text, draft, state } = useValue(lecture.summary);
  const hasDemoText = useField(lecture.view, "hasDemoText");
  const [isTemplateOpen, setTemplateOpen] = useState(false);
  /** The text when its editing began; null while it is read. */
  const [before, setBefore] = useState(draft === null ? null : text);
  const blocks = useValue(lecture.transcript.blocks);
  const times = useMemo(() => listRowTimes(blocks), [blocks]);
  const generating = state === "generating";
  const editing = before !== null && !generating;
  const written = generating ? text : (draft ?? text);

  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => lecture.keepSummary(), keepDelayMs);
    return () => clearTimeout(timer);
  }, [lecture, draft]);
  useEffect(() => () => lecture.keepSummary(), [lecture]);

  function generate(template?: SummaryTemplate) {
    setTemplateOpen(false);
    setBefore(null);
    void lecture.generateSummary(template);
  }

  function leaveForText() {
    if (expanded) onExpand(false);
    showText();
  }

  function showRow(ordinal: number) {
    leaveForText();
    openRow({ position: ordinal });
  }

  function finish() {
    setBefore(null);
    if (expanded) onExpand(false);
  }

  async function save() {
    if (draft !== null && !(await lecture.saveSummary())) return;
    // A guest's is only on this page.
    if (signedIn) toast({ kind: "success", title: t("summary.saved") });
    finish();
  }

  function cancel() {
    lecture.editSummary(before === text ? null : before);
    lecture.keepSummary();
    finish();
  }

  const reading = (
    <SummaryText text={written} generating={generating} times={times} onOpenRow={showRow} />
  );
  return (
    <>
      {editing ? (
        <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]">
          <div
            className={`grid min-h-0 grid-rows-[minmax(0,1fr)] px-5 pt-4 max-book:px-4 ${expanded ? "mx-auto w-full max-w-285 grid-cols-[minmax(0,1fr)] book:grid-cols-2 book:gap-8" : "grid-cols-[minmax(0,1fr)]"}`}
          >
            <SummaryField
              text={written}
              isLocked={state !== "idle"}
              onChange={(next) => lecture.editSummary(next)}
            />
            {expanded ? (
              <div className="min-h-0 overflow-y-auto max-book:hidden">{reading}</div>
            ) : null}
          </div>
          <div
            className={`flex flex-wrap items-center gap-1.5 px-5 py-3 max-book:px-4 ${expanded ? "mx-auto w-full max-w-285" : ""}`}
          >
            <Button size="small" disabled={state === "saving"} onClick={() => void save()}>
              {t(
                state === "saving" ? "summary.saving" : signedIn ? "summary.save" : "summary.read",
              )}
            </Button>
            <Button look="quiet" size="small" disabled={state === "saving"} onClick={cancel}>
              {t("common.cancel")}
            </Button>
            <IconButton
              icon={Copy}
              label={t("summary.copy")}
              disabled={written === ""}
              onClick={() => void copyText(written, t("summary.copied"), [t("summary.copyFailed")])}
              className="ml-auto size-8"
            />
            {canExpand || expanded ? (
              <IconButton
                icon={expanded ? Minimize2 : Maximize2}
                label={t(expanded ? "reading.collapse" : "summary.expand")}
                data-overlay-toggle
                onClick={() => onExpand(!expanded)}
                className="size-8"
              />
            ) : null}
          </div>
        </div>
      ) : (
        <div className="min-h-0 overflow-y-auto px-5 pt-4 pb-6 max-book:px-4">
          {/* In full screen; otherwise the transcript beside it has one. */}
          {hasDemoText && expanded ? <DemoMark className="mb-2 w-fit" /> : null}
          {written || generating ? reading : null}
          {lecture.isReadOnly || generating ? null : text ? (
            <div className="mt-5 flex flex-wrap gap-x-5 gap-y-2 text-ink-2">
              <TextButton onClick={() => setBefore(text)}>{t("summary.edit")}</TextButton>
              <TextButton onClick={() => setTemplateOpen(true)}>{t("summary.again")}</TextButton>
            </div>
          ) : (
            <div className="grid justify-items-start gap-3">
              <p className="text-ink-2">{t("summary.none")}</p>
              <div className="flex flex-wrap gap-1.5">
                <Button look="ink" onClick={() => generate()}>
                  {t("summary.generate")}
                </Button>
                <Button onClick={() => setBefore("")}>{t("summary.write")}</Button>
              </div>
              {signedIn ? (
                <TextButton onClick={() => setTemplateOpen(true)} className="text-ink-2">
                  {t("summary.chooseTemplate")}
                </TextButton>
              ) : (
                <p className="text-pretty text-ink-3 text-sm">{t("summary.guest")}</p>
              )}
            </div>
          )}
          {signedIn && !lecture.isReadOnly && !generating ? (
            <ActionItems lecture={lecture} showText={leaveForText} />
          ) : null}
        </div>
      )}
      <p role="status" className="sr-only">
        {generating ? t("summary.generating") : state === "saving" ? t("summary.saving") : null}
      </p>
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
    </>
  );
}
