import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { listen } from "#client/lib/listen.ts";
import type { Columns } from "#client/ui/bilingual.tsx";
import { DemoMark } from "./demo-mark.tsx";
import { findRowAt } from "./use-rows.ts";

/**
 * Why translations are missing. In place of the first of them it lies over the space of that translation and of the
 * padding below it, so that it moves nothing.
 */
export const MissingTranslation = ({ children }: { children: ReactNode }) => (
  <span className="relative z-1 inline-block max-w-[36rem] text-pretty bg-paper font-ui text-[0.8125rem] text-ink-2 leading-4.5">
    {children}
  </span>
);

interface PinnedNotesProps {
  columns: Columns;
  hasDemoText: boolean;
  /** Null while the row that says it is in view. */
  missing: ReactNode | null;
}

/** What stays below the page's head: the demo's mark, and why translations are missing. The latter moves nothing. */
export const PinnedNotes = ({ columns, hasDemoText, missing }: PinnedNotesProps) => (
  <div className="pinned-notes sticky top-(--page-head) z-1">
    {hasDemoText ? <DemoMark className="mb-1.5 columns:ml-22 columns:w-fit" /> : null}
    {missing === null ? null : (
      <div
        data-missing-bar
        className={`fades absolute inset-x-0 top-full bg-paper pb-1.5 after:pointer-events-none after:absolute after:inset-x-0 after:top-full after:h-3 after:bg-linear-to-b after:from-paper after:to-transparent ${hasDemoText ? "pt-1" : ""} ${columns === "two" ? "columns:top-0 columns:left-auto columns:w-[calc(50%-4rem)] columns:pt-0" : "columns:left-22"}`}
      >
        {missing}
      </div>
    )}
  </div>
);

/** Whether the translation of row `position` is above the view, or behind the page's head or the demo's mark; `null`: there is none. */
export function useIsAbove(page: RefObject<HTMLElement | null>, position: number | null): boolean {
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    const box = page.current;
    if (!box || position === null) return;
    let frame = 0;
    const check = () => {
      frame = 0;
      const row = findRowAt(box, position)?.getBoundingClientRect();
      const covers = [...box.querySelectorAll("[data-page-head], [data-demo-mark]")];
      const bottoms = covers.map((cover) => cover.getBoundingClientRect().bottom);
      bottoms.push(box.getBoundingClientRect().top);
      setAbove(bottoms.some((bottom) => row !== undefined && row.top < bottom));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(check);
    };
    schedule();
    const unlisten = listen(box, "scroll", schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      unlisten();
      setAbove(false);
    };
  }, [page, position]);
  return isAbove;
}
