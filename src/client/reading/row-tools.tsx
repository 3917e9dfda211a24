import { Flag, type LucideIcon, Pencil, Play, X } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useT as useCommonT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
import { InControls } from "./edge-offset.ts";
import { shownSound } from "./reading-state.ts";
import type { Marks } from "./use-marks.ts";
import { findRow, getPosition } from "./use-rows.ts";

interface RowToolsProps {
  /** Null where rows cannot be changed. */
  edit: ((position: number) => void) | null;
  mark: (position: number) => void;
  marks: Marks["rows"];
  /** The rows. */
  children: ReactNode;
}

interface RowTarget {
  row: HTMLElement;
  top: number;
  /** It was touched: there is no room for its tools beside it. */
  isTouched: boolean;
}

/**
 * The tools of one row: beside it, at the edge of the page, where it is hovered; in the recording controls where it is
 * touched. A marked row has a flag of its own.
 */
export function RowTools({ edit, mark, marks, children }: RowToolsProps) {
  const t = useT();
  const tCommon = useCommonT();
  const player = useValue(shownSound);
  const box = useRef<HTMLDivElement>(null);
  const isTouch = useRef(false);
  const [target, setTarget] = useState<RowTarget | null>(null);
  const touched = target?.isTouched ? target.row : null;
  const close = () => setTarget(null);

  function show({ target: node, currentTarget }: SyntheticEvent, isTouched = false) {
    if (!(node instanceof Element) || box.current?.contains(node)) return;
    const row = findRow(node);
    // A row that is being edited needs no edit button.
    if (!row || row.querySelector("textarea")) return close();
    const top = row.getBoundingClientRect().top - currentTarget.getBoundingClientRect().top;
    setTarget({ row, top, isTouched });
  }

  function touch(event: SyntheticEvent) {
    if (!isTouch.current || !(event.target instanceof Element)) return;
    const isControl = event.target.closest("button, a, textarea");
    if (isControl || window.getSelection()?.isCollapsed === false) return;
    if (touched?.contains(event.target)) close();
    else show(event, true);
  }

  useEffect(() => {
    if (!touched) return;
    touched.dataset.touched = "";
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === false) setTarget(null);
      },
      // Below the page's head.
      { root: touched.closest("section"), rootMargin: "-66px 0px 0px" },
    );
    observer.observe(touched);
    return () => {
      observer.disconnect();
      delete touched.dataset.touched;
    };
  }, [touched]);

  const renderTool = (label: string, Icon: LucideIcon, run: () => void, className = "") => (
    <IconButton
      icon={Icon}
      iconClass={touched ? "size-4.5" : "size-3.5"}
      label={label}
      tabIndex={touched ? 0 : -1}
      onClick={run}
      className={`${className} ${touched ? "size-11 rounded-full" : "min-h-0! min-w-0! text-ink-3 columns:size-6 max-columns:h-6 max-columns:w-4"}`}
    />
  );
  function renderTools({ row }: RowTarget, correct: (position: number) => void) {
    const position = getPosition(row);
    const { playFrom } = row.querySelector<HTMLElement>("[data-play-from]")?.dataset ?? {};
    const play = () => void player?.play(Number(playFrom));
    return (
      <>
        {/* On a wide page every row has its time, which does the same. */}
        {playFrom === undefined
          ? null
          : renderTool(t("reading.playFrom"), Play, play, touched ? "" : "columns:hidden")}
        {renderTool(t("reading.correctRow"), Pencil, () => {
          close();
          correct(position);
        })}
        {marks.has(position) ? null : renderTool(t("marks.mark"), Flag, () => mark(position))}
        {touched ? renderTool(tCommon("common.close"), X, close) : null}
      </>
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of its rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: rows have keys of their own
    <div
      className="relative"
      onPointerDown={(event) => {
        isTouch.current = event.pointerType === "touch";
      }}
      onPointerOver={(event) => event.pointerType !== "touch" && show(event)}
      onPointerLeave={(event) => event.pointerType !== "touch" && close()}
      onClick={touch}
    >
      {children}
      {target === null || edit === null ? null : touched ? (
        <InControls>
          <div
            ref={box}
            role="toolbar"
            aria-label={t("reading.rowTools")}
            data-row-tools
            className="flex justify-center sm:min-w-36"
          >
            {renderTools(target, edit)}
          </div>
        </InControls>
      ) : (
        <div
          ref={box}
          className="fades absolute flex flex-col columns:-left-7 columns:mt-1 max-columns:-left-4.5 max-columns:mt-2.5 max-columns:[&_svg]:size-3"
          style={{ top: target.top }}
        >
          {renderTools(target, edit)}
        </div>
      )}
    </div>
  );
}
