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

interface SummaryFieldProps {
  text: string;
  /** The text cannot be changed now. */
  isLocked: boolean;
  onChange: (text: string) => void;
}

/** The summary as Markdown in a field, which takes the focus when it is shown. */
export function SummaryField({ text, isLocked, onChange }: SummaryFieldProps) {
  const t = useT();
  const serif = useValue(readingFace) === "serif";
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
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
      className={`min-h-0 resize-none rounded-m border border-rule-control bg-sheet p-4 text-md leading-relaxed outline-none transition-colors duration-150 ease-quiet hover:border-rule-strong focus:border-ink ${serif ? "font-reading" : ""}`}
    />
  );
}

interface SummaryTextProps {
  text: string;
  generating: boolean;
  /** Of the lecture's rows, in seconds, with their ordinals. */
  times: ReadonlyMap<number, number>;
  onOpenRow: (ordinal: number) => void;
}

/** The rendered summary. While it is generated, it grows at its end and is not scrolled. */
export function SummaryText({ text, generating, times, onOpenRow }: SummaryTextProps) {
  const t = useT();
  const serif = useValue(readingFace) === "serif";
  const shown = useDeferredValue(text);
  const linked = useMemo(() => linkRowTimes(shown, new Set(times.keys())), [shown, times]);
  const openRow = (seconds: number) => {
    const ordinal = times.get(seconds);
    if (ordinal !== undefined) onOpenRow(ordinal);
  };
  const box = useRef<HTMLElement>(null);

  return (
    <article
      ref={box}
      aria-label={t("summary.title")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      dir="auto"
      className={`max-w-[44em] text-md leading-relaxed wrap-anywhere outline-offset-8 ${serif ? "font-reading" : ""}`}
    >
      <Suspense fallback={<TextSkeleton />}>
        <OpenRowContext value={openRow}>
          {shown ? <Markdown text={linked} /> : generating ? <TextSkeleton /> : null}
        </OpenRowContext>
        <SummaryHit box={box} />
      </Suspense>
    </article>
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
