import { BookPlus, Search } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { createPortal } from "react-dom";
import { useCoarsePointer } from "#client/lib/media-queries.ts";
import { useT } from "./messages/index.ts";
import { usePlacement } from "./place-box.ts";
import type { SelectedWords } from "./selected-words.ts";

interface SelectionBarProps {
  selected: SelectedWords;
  page: RefObject<HTMLElement | null>;
  /** Null for a guest, who has no glossary. */
  onAdd: (() => void) | null;
  onLookUp: () => void;
  /** A press begins that must not end the selection. */
  onPress: () => void;
}

/** What can be done with selected words, beside them. It takes no place on the page. */
export function SelectionBar({ selected, page, onAdd, onLookUp, onPress }: SelectionBarProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  // Above a touched selection is the system's own bar.
  const prefersBelow = useCoarsePointer();
  usePlacement({ box, page, range: selected.range, prefersBelow, isHiddenWithWords: true });
  return createPortal(
    <>
      <div
        ref={box}
        role="toolbar"
        aria-label={t("words.tools")}
        onPointerDown={onPress}
        onMouseDown={(event) => event.preventDefault()}
        className="fades fixed top-(--top) left-(--left) z-10 flex select-none rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet"
      >
        {onAdd ? (
          <BarButton shortcut="g" onClick={onAdd}>
            <BookPlus className="size-4 text-ink-3" />
            {t("words.add")}
          </BarButton>
        ) : null}
        <BarButton shortcut="l" onClick={onLookUp}>
          <Search className="size-4 text-ink-3" />
          {t("words.lookUp")}
        </BarButton>
      </div>
      <div role="status" className="sr-only">
        {t(onAdd ? "words.selected" : "words.selectedGuest", { words: selected.words })}
      </div>
    </>,
    document.body,
  );
}

interface BarButtonProps {
  shortcut: string;
  onClick: () => void;
  children: ReactNode;
}

const BarButton = ({ shortcut, onClick, children }: BarButtonProps) => (
  <button
    type="button"
    aria-keyshortcuts={shortcut}
    onClick={onClick}
    className="touch-target flex h-8 items-center gap-2 whitespace-nowrap rounded-s px-2.5 font-[550] text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
  >
    {children}
  </button>
);
