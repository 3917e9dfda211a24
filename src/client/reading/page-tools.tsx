import { Maximize2, Minimize2 } from "lucide-react";
import { type ReactNode, type RefObject, Suspense } from "react";
import { IconButton } from "#client/ui/button.tsx";
import { MoreMenu } from "./load-transcript-rows.ts";
import { useT } from "./messages/index.ts";
import { ReadingSizeButton } from "./reading-size-button.tsx";

const toolClass = "size-8 text-ink-3";

interface PageTitleProps {
  title: string;
  /** `English → language`; null without a translation. */
  pair: string | null;
  status: ReactNode;
}

/** The panel's name and its two languages, and the status where there is one. */
export function PageTitle({ title, pair, status }: PageTitleProps) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 font-ui">
      <h2 className="font-semibold text-ink-2">{title}</h2>
      {pair ? (
        <span className={`min-w-0 truncate font-normal ${status ? "max-book:hidden" : ""}`}>
          {pair}
        </span>
      ) : null}
      {status ? <div className="shrink-0 max-book:ml-auto book:ml-3">{status}</div> : null}
    </div>
  );
}

interface PageToolsProps {
  summary: ReactNode;
  rows: boolean;
  page: RefObject<HTMLElement | null>;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

export function PageTools({ summary, rows, page, expanded, onExpand }: PageToolsProps) {
  const t = useT();
  const Expand = expanded ? Minimize2 : Maximize2;
  return (
    <>
      {summary}
      <span className="flex max-sm:hidden">
        <ReadingSizeButton step={-1} className={toolClass} />
        <ReadingSizeButton step={1} className={toolClass} />
      </span>
      {rows ? (
        <Suspense fallback={<span className="size-8 shrink-0" />}>
          <MoreMenu page={page} />
        </Suspense>
      ) : null}
      <IconButton
        label={t(expanded ? "reading.collapse" : "reading.expandTranscript")}
        data-overlay-toggle
        onClick={() => onExpand(!expanded)}
        className={toolClass}
      >
        <Expand className="size-4" aria-hidden="true" />
      </IconButton>
    </>
  );
}
