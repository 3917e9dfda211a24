import { ChevronDown, Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { summaryMaxLength } from "../../../shared/limits.ts";
import { useT } from "../../i18n/index.ts";
import { useField, useValue } from "../../lib/signal.ts";
import type { RecordingSession } from "../../realtime/contract.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { SummaryEditor } from "./summary-editor.tsx";
import { SummaryText } from "./summary-text.tsx";
import { overlayProps, useOverlay } from "./use-overlay.ts";

interface SummaryPanelProps {
  session: RecordingSession;
  signedIn: boolean;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/**
 * The summary, below the page: one line while there is none or while the page is recorded on, more
 * when it is read, and the whole screen when it is written in.
 */
export default function SummaryPanel({ session, signedIn, expanded, onExpand }: SummaryPanelProps) {
  const t = useT();
  const { text, state } = useValue(session.summary);
  const recording = useField(session.view, "status") === "recording";
  const [open, setOpen] = useState(true);
  const [replacing, setReplacing] = useState(false);
  const box = useRef<HTMLElement>(null);
  useOverlay(box, expanded, () => onExpand(false));
  const generating = state === "generating";
  const written = text !== "";

  useEffect(() => {
    // Who records reads the page.
    if (recording) setOpen(false);
  }, [recording]);

  function generate() {
    setReplacing(false);
    setOpen(true);
    void session.generateSummary();
  }

  const shown = open && (written || generating);
  return (
    <section
      ref={box}
      aria-label={t("summary.title")}
      {...overlayProps(expanded, t("summary.title"))}
      className={
        expanded
          ? "fixed inset-0 z-5 grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] bg-paper"
          : "border-rule border-t bg-paper-2"
      }
    >
      <div className="flex items-center gap-2 py-2 pr-7 pl-7 max-book:pr-3 max-book:pl-4">
        <h2 className="font-semibold text-ink-2">{t("summary.title")}</h2>
        <Note session={session} signedIn={signedIn} shown={shown || expanded} />
        <div className="ml-auto flex items-center gap-1">
          <Button
            size="small"
            disabled={generating}
            onClick={() => (written ? setReplacing(true) : generate())}
          >
            {t(generating ? "summary.generating" : "summary.generate")}
          </Button>
          {written && !expanded ? (
            <IconButton
              label={t(open ? "summary.hide" : "summary.show")}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="max-book:hidden"
            >
              <ChevronDown
                className={`size-4.5 transition-transform duration-150 ease-quiet ${open ? "" : "rotate-180"}`}
                aria-hidden="true"
              />
            </IconButton>
          ) : null}
          <IconButton
            label={t(expanded ? "record.collapse" : "summary.expand")}
            data-overlay-toggle
            onClick={() => onExpand(!expanded)}
          >
            {expanded ? (
              <Minimize2 className="size-4" aria-hidden="true" />
            ) : (
              <Maximize2 className="size-4" aria-hidden="true" />
            )}
          </IconButton>
        </div>
      </div>
      {expanded ? (
        <SummaryEditor
          text={text}
          generating={generating}
          maxLength={summaryMaxLength}
          onChange={(next) => session.setSummary(next)}
        />
      ) : shown ? (
        <div className="max-h-[34dvh] overflow-y-auto px-7 pt-1 pb-6 max-book:max-h-[28dvh] max-book:px-4">
          <SummaryText text={text} generating={generating} />
        </div>
      ) : null}
      <AlertDialog
        open={replacing}
        onOpenChange={setReplacing}
        title={t("summary.replaceTitle")}
        text={t("summary.replaceText")}
      >
        <Button look="quiet" onClick={() => setReplacing(false)}>
          {t("common.cancel")}
        </Button>
        <Button look="ink" onClick={generate}>
          {t("summary.replace")}
        </Button>
      </AlertDialog>
    </section>
  );
}

interface NoteProps {
  session: RecordingSession;
  signedIn: boolean;
  /** The text itself is in sight. */
  shown: boolean;
}

/** Beside the title: why there is no summary, or how the hidden one begins. */
function Note({ session, signedIn, shown }: NoteProps) {
  const t = useT();
  const { text, state } = useValue(session.summary);
  if (state === "failed") {
    return (
      <p role="status" className="min-w-0 truncate text-seal-text text-sm">
        {t("summary.failed")}
      </p>
    );
  }
  if (shown)
    return (
      <span role="status" className="sr-only">
        {state === "generating" ? t("summary.generating") : null}
      </span>
    );
  const teaser = text.replace(/[#*_>`-]+/g, " ").trim();
  return (
    <p className="min-w-0 truncate text-ink-3 text-sm">
      {teaser ? teaser.slice(0, 200) : t(signedIn ? "summary.empty" : "summary.guest")}
    </p>
  );
}
