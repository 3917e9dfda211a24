import { type ReactNode, type RefObject, useEffect, useState } from "react";
import type { Columns } from "#client/ui/bilingual.tsx";
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

interface MissingTranslationBarProps {
  columns: Columns;
  /** The demo's mark is below the head, too, and stays in view. */
  hasMark: boolean;
  children: ReactNode;
}

const belowHead = "top-13.5 max-book:pointer-coarse:top-16.5";
/** Beside two columns the mark is in the first; on a phone it has two lines. */
const belowMark = {
  two: "top-13.5 max-book:top-26 max-book:pointer-coarse:top-29",
  one: "top-22 max-book:top-26 max-book:pointer-coarse:top-29",
};

/** The same below the page's head, over the column of translations: the row that says it is above the view. */
export const MissingTranslationBar = ({
  columns,
  hasMark,
  children,
}: MissingTranslationBarProps) => (
  <div className={`fades sticky z-1 h-0 ${hasMark ? belowMark[columns] : belowHead}`}>
    <div
      className={`bg-paper pb-1.5 ${columns === "two" ? "book:ml-auto book:w-[calc(50%-2.75rem)]" : "book:ml-22"}`}
    >
      {children}
    </div>
  </div>
);

/** Whether the translation of row `position` is above the view, or behind the page's head; `null`: there is none. */
export function useIsAbove(page: RefObject<HTMLElement | null>, position: number | null): boolean {
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    const box = page.current;
    if (!box || position === null) return;
    let frame = 0;
    const check = () => {
      frame = 0;
      const row = findRowAt(box, position);
      const cell = row?.querySelector("[data-space]") ?? row;
      const head = box.querySelector("[data-page-head]");
      if (!cell || !head) setAbove(false);
      else setAbove(cell.getBoundingClientRect().top < head.getBoundingClientRect().bottom);
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(check);
    };
    schedule();
    box.addEventListener("scroll", schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      box.removeEventListener("scroll", schedule);
      setAbove(false);
    };
  }, [page, position]);
  return isAbove;
}
