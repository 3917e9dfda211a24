import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { readingFace } from "#client/state/preferences.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { summaryMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";
import { SummaryHit } from "./summary-hit.tsx";
import { linkRowTimes, OpenRowContext } from "./summary-rows.ts";

// If the renderer cannot be loaded, the text is shown as plain text.
const Markdown = lazy(() => import("./safe-markdown.tsx").catch(() => ({ default: PlainText })));

interface SummaryEditorProps {
  text: string;
  generating: boolean;
  /** The text cannot be changed now. */
  isLocked: boolean;
  /** The Markdown is shown, and not the rendered text. */
  editing: boolean;
  /** In full screen, where a wide screen shows both. */
  expanded: boolean;
  /** Of the lecture's rows, in seconds, with their ordinals. */
  times: ReadonlyMap<number, number>;
  onOpenRow: (ordinal: number) => void;
  /** Null where the summary cannot be changed. */
  onChange: ((text: string) => void) | null;
}

/** The summary as rendered text, as Markdown in a field, or both. */
export function SummaryEditor({
  text,
  generating,
  isLocked,
  editing,
  expanded,
  times,
  onOpenRow,
  onChange,
}: SummaryEditorProps) {
  const t = useT();
  const serif = useValue(readingFace) === "serif";
  const field = useRef<HTMLTextAreaElement>(null);
  // A draft that was left open does not take the focus when it is shown again.
  const wasEditing = useRef(editing);
  const hidden = expanded ? "max-book:hidden" : "hidden";

  useEffect(() => {
    if (editing && !wasEditing.current) field.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  return (
    <div
      className={`grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] px-5 pb-5 max-book:px-4 max-book:pb-4 ${expanded ? `mx-auto w-full max-w-285 ${onChange ? "book:grid-cols-2 book:gap-8" : ""}` : ""}`}
    >
      {onChange ? (
        <textarea
          ref={field}
          rows={8}
          aria-label={t("summary.text")}
          dir="auto"
          value={text}
          readOnly={isLocked}
          maxLength={summaryMaxLength}
          placeholder={t("summary.placeholder")}
          onChange={(event) => onChange(event.target.value)}
          className={`min-h-0 resize-none rounded-m border border-rule-control bg-sheet p-4 text-md leading-relaxed outline-none transition-colors duration-150 ease-quiet hover:border-rule-strong focus:border-ink ${serif ? "font-reading" : ""} ${editing ? "" : hidden}`}
        />
      ) : null}
      <article
        aria-label={t("summary.title")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className={`-mx-3 min-h-0 overflow-y-auto px-3 -outline-offset-2 ${editing ? hidden : ""}`}
      >
        <RenderedText text={text} generating={generating} times={times} onOpenRow={onOpenRow} />
      </article>
    </div>
  );
}

type RenderedTextProps = Pick<SummaryEditorProps, "text" | "generating" | "times" | "onOpenRow">;

/** The rendered summary. While it is generated, it grows at its end and is not scrolled. */
function RenderedText({ text, generating, times, onOpenRow }: RenderedTextProps) {
  const serif = useValue(readingFace) === "serif";
  const shown = useDeferredValue(text);
  const linked = useMemo(() => linkRowTimes(shown, new Set(times.keys())), [shown, times]);
  const openRow = (seconds: number) => {
    const ordinal = times.get(seconds);
    if (ordinal !== undefined) onOpenRow(ordinal);
  };
  const box = useRef<HTMLDivElement>(null);

  return (
    <div
      ref={box}
      dir="auto"
      className={`max-w-[44em] text-md leading-relaxed wrap-anywhere ${serif ? "font-reading" : ""}`}
    >
      <Suspense fallback={<TextSkeleton />}>
        <OpenRowContext value={openRow}>
          {shown ? <Markdown text={linked} /> : generating ? <TextSkeleton /> : null}
        </OpenRowContext>
        <SummaryHit box={box} />
      </Suspense>
    </div>
  );
}

function PlainText({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

function TextSkeleton() {
  return (
    <span className="grid gap-2.5 py-1">
      <Skeleton className="h-3.5 w-full" />
      <Skeleton className="h-3.5 w-4/5" />
    </span>
  );
}
