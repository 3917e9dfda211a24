import { lazy, Suspense, useDeferredValue, useMemo, useRef } from "react";
import { useValue } from "#client/lib/signal.ts";
import { readingFace } from "#client/state/preferences.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { SummaryHit } from "./summary-hit.tsx";
import { linkRowTimes, OpenRowContext } from "./summary-rows.ts";

// If the renderer cannot be loaded, the text is shown as plain text.
const Markdown = lazy(() => import("./safe-markdown.tsx").catch(() => ({ default: PlainText })));

interface SummaryTextProps {
  text: string;
  generating: boolean;
  /** Of the lecture's rows, in seconds. */
  times: ReadonlyMap<number, number>;
  /** Opens the row at a position. */
  onOpenRow: (position: number) => void;
}

/** The rendered summary. While it is generated, it grows at its end and is not scrolled. */
export function SummaryText({ text, generating, times, onOpenRow }: SummaryTextProps) {
  const serif = useValue(readingFace) === "serif";
  const shown = useDeferredValue(text);
  const linked = useMemo(() => linkRowTimes(shown, new Set(times.keys())), [shown, times]);
  const openRow = (seconds: number) => {
    const position = times.get(seconds);
    if (position !== undefined) onOpenRow(position);
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
