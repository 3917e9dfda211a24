import { ChevronDown, Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useField, useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button, IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
import { SummaryEditor } from "./summary-editor.tsx";
import { SummaryText } from "./summary-text.tsx";
import { useToastOffset } from "./toast-offset.ts";
import { overlayProps, useOverlay } from "./use-overlay.ts";

interface SummaryPanelProps {
  lecture: LectureDocument;
  signedIn: boolean;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** On a narrow screen the summary starts collapsed. */
const isWideScreen = () => window.matchMedia("(min-width: 56.25rem)").matches;

/** One line without a summary or while recording, taller for reading, full screen for editing. */
export default function SummaryPanel({ lecture, signedIn, expanded, onExpand }: SummaryPanelProps) {
  const t = useT();
  const { text, state } = useValue(lecture.summary);
  const recording = useField(lecture.view, "status") === "recording";
  const [open, setOpen] = useState(isWideScreen);
  const [isConfirmOpen, setReplacing] = useState(false);
  const box = useRef<HTMLElement>(null);
  useOverlay(box, expanded, () => onExpand(false));
  useToastOffset("--toasts-above", box, !expanded);
  const generating = state === "generating";
  const hasText = text !== "";
  const Expand = expanded ? Minimize2 : Maximize2;

  useEffect(() => {
    // While recording, the transcript needs the space.
    if (recording) setOpen(false);
  }, [recording]);

  function generate() {
    setReplacing(false);
    setOpen(true);
    void lecture.generateSummary();
  }

  const shown = open && (hasText || generating);
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
      <div className="px-7 py-2 max-book:px-4">
        <div
          className={`mx-auto flex max-w-275 items-center gap-x-2.5 gap-y-1 max-sm:flex-wrap ${expanded ? "" : "book:pl-22"}`}
        >
          <h2 className="shrink-0 font-semibold text-ink-2 text-xs">{t("summary.title")}</h2>
          <SummaryNote
            lecture={lecture}
            signedIn={signedIn}
            shown={shown}
            onExpand={expanded ? null : () => onExpand(true)}
          />
          <div className="-mr-2 ml-auto flex shrink-0 items-center gap-1">
            <Button
              size="small"
              disabled={generating}
              onClick={() => (hasText ? setReplacing(true) : generate())}
            >
              {t(generating ? "summary.generating" : "summary.generate")}
            </Button>
            {hasText && !expanded ? (
              <IconButton
                label={t(open ? "summary.hide" : "summary.show")}
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                <ChevronDown
                  className={`size-4.5 transition-transform duration-150 ease-quiet ${open ? "" : "rotate-180"}`}
                  aria-hidden="true"
                />
              </IconButton>
            ) : null}
            <IconButton
              label={t(expanded ? "reading.collapse" : "summary.expand")}
              data-overlay-toggle
              onClick={() => onExpand(!expanded)}
            >
              <Expand className="size-4" aria-hidden="true" />
            </IconButton>
          </div>
        </div>
      </div>
      {expanded ? (
        <SummaryEditor
          text={text}
          generating={generating}
          onChange={(next) => lecture.setSummary(next)}
        />
      ) : shown ? (
        <article
          aria-label={t("summary.title")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          className="-outline-offset-2 max-h-[27dvh] overflow-y-auto px-7 pt-0.5 pb-6 max-book:px-4"
        >
          <div className="mx-auto max-w-275 book:pl-22">
            <SummaryText text={text} generating={generating} />
          </div>
        </article>
      ) : null}
      <AlertDialog
        open={isConfirmOpen}
        onClose={() => setReplacing(false)}
        title={t("summary.replaceTitle")}
        text={t("summary.replaceText")}
      >
        <Button onClick={() => setReplacing(false)}>{t("common.cancel")}</Button>
        <Button look="danger" onClick={generate}>
          {t("summary.replace")}
        </Button>
      </AlertDialog>
    </section>
  );
}

interface SummaryNoteProps {
  lecture: LectureDocument;
  signedIn: boolean;
  shown: boolean;
  /** Null in full screen. */
  onExpand: (() => void) | null;
}

/** Beside the title: why there is no summary, or the beginning of a collapsed one. */
function SummaryNote({ lecture, signedIn, shown, onExpand }: SummaryNoteProps) {
  const t = useT();
  const { text, state } = useValue(lecture.summary);
  const excerpt = text
    .replace(/[#*_>`-]+/g, " ")
    .trim()
    .slice(0, 200);
  return (
    <>
      <span role="status" className={state === "failed" ? failedClass : "sr-only"}>
        {state === "failed" ? t("summary.failed") : null}
        {state === "generating" ? t("summary.generating") : null}
      </span>
      {onExpand === null || state === "failed" ? null : excerpt ? (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          onClick={onExpand}
          className={`touch-target min-w-0 truncate text-left text-ink-3 text-sm hover:text-ink max-sm:hidden ${shown ? "hidden" : ""}`}
        >
          {excerpt}
        </button>
      ) : (
        <p
          className={`min-w-0 text-ink-3 text-sm ${signedIn ? "truncate max-sm:hidden" : "max-sm:order-last max-sm:basis-full sm:truncate"}`}
        >
          {t(signedIn ? "summary.empty" : "summary.guest")}
        </p>
      )}
    </>
  );
}

const failedClass = "min-w-0 truncate text-warn text-sm max-sm:order-last max-sm:basis-full";
