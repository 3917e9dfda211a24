import { X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { IconButton } from "#client/ui/button.tsx";
import { overlayProps, useOverlay } from "./use-overlay.ts";

/** Of a sheet of the page. */
export interface OpenSheetProps {
  lecture: LectureDocument;
  /** The button that opened it, which takes the focus back. */
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

interface SheetProps extends Omit<OpenSheetProps, "lecture"> {
  title: string;
  closeLabel: string;
  /** What takes the focus, in place of the sheet itself. */
  firstFocus?: RefObject<HTMLElement | null>;
  /** In full screen. */
  expanded?: boolean;
  onCollapse?: () => void;
  /** Beside the title. */
  tools?: ReactNode;
  /** Rows of its grid, below the title. */
  className: string;
  children: ReactNode;
}

/** Beside the transcript; at the page's lower edge where there is no room; or in full screen. */
export function Sheet({
  title,
  closeLabel,
  opener,
  firstFocus,
  onClose,
  expanded = false,
  onCollapse = () => {},
  tools,
  className,
  children,
}: SheetProps) {
  const box = useRef<HTMLElement>(null);
  useOverlay(box, expanded, onCollapse);

  useEffect(() => {
    // A sheet that opens with the page leaves the focus where it is.
    if (document.activeElement !== opener.current) return;
    // A field that is focused opens the keyboard of a phone over the text.
    const isTouched = window.matchMedia("(pointer: coarse)").matches;
    ((isTouched ? null : firstFocus?.current) ?? box.current)?.focus();
  }, [opener, firstFocus]);

  function close() {
    onClose();
    opener.current?.focus();
  }

  return (
    // A container would confine what is fixed in it.
    <div
      className={expanded ? "" : "@container pointer-events-none absolute inset-0 row-start-2 z-2"}
    >
      <section
        ref={box}
        tabIndex={-1}
        data-sheet
        aria-label={title}
        {...overlayProps(expanded, title)}
        onKeyDown={(event) => {
          // Not a key of the dialog, and not the one that has left full screen.
          const isOwn =
            event.currentTarget.contains(event.target as Node) && !event.defaultPrevented;
          if (event.key === "Escape" && isOwn && !event.nativeEvent.isComposing) close();
        }}
        className={`grid grid-cols-[minmax(0,1fr)] outline-none ${className} ${expanded ? "fixed inset-0 z-5 bg-paper" : sheetClass}`}
      >
        <div className="flex items-center gap-1 px-5 pt-2.5 max-book:px-4">
          <h2 className="mr-auto font-semibold text-ink-2 text-sm">{title}</h2>
          {tools}
          {expanded ? null : (
            <IconButton
              icon={X}
              iconClass="size-4.5"
              label={closeLabel}
              onClick={close}
              className="-mr-2"
            />
          )}
        </div>
        {children}
      </section>
    </div>
  );
}

/**
 * Above the recording controls, as high as its text; from 62rem on beside the transcript, which makes room for it: see
 * `ReadingSurface`.
 */
const sheetClass =
  "pointer-events-auto absolute inset-x-3 bottom-[calc(var(--bars)+0.5rem)] max-h-[calc(80%-var(--bars))] [--bars:var(--controls-height,0px)] rounded-l border border-rule bg-sheet shadow-sheet @min-[62rem]:inset-y-0 @min-[62rem]:right-0 @min-[62rem]:left-auto @min-[62rem]:max-h-none @min-[62rem]:w-80 @min-[75rem]:w-96 @min-[62rem]:rounded-none @min-[62rem]:border-y-0 @min-[62rem]:border-r-0 @min-[62rem]:bg-paper-2 @min-[62rem]:shadow-none";
