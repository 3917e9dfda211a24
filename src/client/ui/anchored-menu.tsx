import { Menu as Base } from "@base-ui/react/menu";
import { useRef } from "react";
import { MenuEntries, type MenuEntry } from "./menu-entries.tsx";

interface AnchoredMenuProps {
  /** The element, or the point in the window, at which it opens. */
  anchor: Element | { x: number; y: number };
  heading: string;
  entries: readonly MenuEntry[];
  onClose: () => void;
  /** Opened by a key: the first entry takes the focus instead of the menu. */
  byKey: boolean;
  /** The element that takes the focus when it closes. */
  finalFocus: () => HTMLElement | null;
}

/** A context menu, opened by a key or the right mouse button. It is open while it is mounted. */
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
        <Base.Positioner anchor={place} sideOffset={4} align="start" className="z-25 outline-none">
          <Base.Popup
            ref={popup}
            aria-label={heading}
            finalFocus={() => isFocusUnclaimed(popup.current) && (finalFocus() ?? true)}
            onFocus={(event) => {
              if (byKey && event.target === event.currentTarget) first.current?.focus();
            }}
            className="min-w-48 rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet outline-none"
          >
            <MenuEntries
              heading={heading}
              entries={entries}
              first={first}
              onChoose={({ run }) => run()}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** False where something else, such as a dialog, has already taken the focus from `popup`. */
function isFocusUnclaimed(popup: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || popup?.contains(focused) === true;
}
