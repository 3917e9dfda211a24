import { Flag, Pencil, Play } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useRef, useState } from "react";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
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
  position: number;
  top: number;
  /** Where its kept sound begins, ms. */
  playFrom: string | undefined;
}

/** On a narrow page they are as high as the space between the words of two rows, and cover none. */
const toolClass =
  "text-ink-3 max-columns:h-5 max-columns:min-h-0! max-columns:w-8 max-columns:touch-reach columns:size-6";

/**
 * One edit button for all rows, beside the one that is hovered, touched or focused, and one flag. A marked row has a
 * flag of its own.
 */
export function RowTools({ edit, mark, marks, children }: RowToolsProps) {
  const t = useT();
  const tools = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<RowTarget | null>(null);

  function show(event: SyntheticEvent) {
    if (event.target instanceof Node && tools.current?.contains(event.target)) return;
    const row = findRow(event.target);
    // A row that is being edited needs no edit button.
    if (!row || row.querySelector("textarea")) return setTarget(null);
    const top = row.getBoundingClientRect().top - event.currentTarget.getBoundingClientRect().top;
    const playFrom = row.querySelector<HTMLElement>("[data-play-from]")?.dataset.playFrom;
    setTarget({ position: getPosition(row), top, playFrom });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of its rows
    <div
      className="relative"
      onPointerOver={show}
      onFocus={show}
      onPointerLeave={() => setTarget(null)}
    >
      {children}
      {target && edit ? (
        <div
          ref={tools}
          className="fades absolute flex rounded-s max-columns:right-0 max-columns:-translate-y-1/2 max-columns:bg-paper columns:-left-5 columns:mt-1 columns:flex-col"
          style={{ top: target.top }}
        >
          {target.playFrom === undefined ? null : (
            // On a wide page every row has its time, which does the same.
            <IconButton
              label={t("reading.playFrom")}
              tabIndex={-1}
              data-play-from={target.playFrom}
              className={`${toolClass} columns:hidden`}
            >
              <Play className="size-3.5" aria-hidden="true" />
            </IconButton>
          )}
          <IconButton
            label={t("reading.correctRow")}
            tabIndex={-1}
            onClick={() => {
              setTarget(null);
              edit(target.position);
            }}
            className={toolClass}
          >
            <Pencil className="size-3.5" aria-hidden="true" />
          </IconButton>
          {marks.has(target.position) ? null : (
            <IconButton
              label={t("marks.mark")}
              tabIndex={-1}
              onClick={() => mark(target.position)}
              className={toolClass}
            >
              <Flag className="size-3.5" aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ) : null}
    </div>
  );
}
