import { Menu as Base } from "@base-ui/react/menu";
import { useRef } from "react";
import { getEntryClass, type MenuEntry } from "./menu-props.ts";

interface AnchoredMenuProps {
  /** Beside what, or where in the window, it opens. */
  anchor: Element | { x: number; y: number };
  heading: string;
  entries: readonly MenuEntry[];
  onClose: () => void;
  /** It was opened by a key: the first entry has the focus, not the menu as a whole. */
  byKey: boolean;
  /** Has the focus when it closes. */
  finalFocus: () => HTMLElement | null;
}

/** A menu without a button of its own: of a row, by a key or the right mouse button. It is open as long as it is there. */
export default function AnchoredMenu(props: AnchoredMenuProps) {
  const { anchor, heading, entries, onClose, byKey, finalFocus } = props;
  const first = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const place =
    anchor instanceof Element
      ? anchor
      : { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0) };
  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={place} sideOffset={4} align="start" className="z-10 outline-none">
          <Base.Popup
            ref={popup}
            aria-label={heading}
            finalFocus={() => isFocusUnclaimed(popup.current) && (finalFocus() ?? true)}
            onFocus={(event) => {
              if (byKey && event.target === event.currentTarget) first.current?.focus();
            }}
            className="min-w-48 rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet outline-none"
          >
            <div className="mb-1 max-w-64 truncate border-rule border-b px-3 pt-1.5 pb-2.5 text-ink-3 text-sm">
              {heading}
            </div>
            {entries.map((entry, index) => (
              <Base.Item
                key={entry.key}
                ref={index === 0 ? first : undefined}
                onClick={entry.run}
                className={getEntryClass(entry)}
              >
                {entry.icon}
                {entry.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** False where the focus has gone from `popup` to another place by itself, such as a dialog. */
function isFocusUnclaimed(popup: HTMLElement | null): boolean {
  const now = document.activeElement;
  return now === null || now === document.body || popup?.contains(now) === true;
}
