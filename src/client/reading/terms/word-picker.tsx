import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { joinTexts } from "#client/reading/row-text.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import { listRowTexts, listWordSpans, selectSpan } from "./selected-words.ts";

interface WordPickerProps {
  row: HTMLElement;
  /** A word is selected in the row. */
  onPick: () => void;
  onClose: () => void;
}

/** The words of a sentence as buttons over the next row. */
export function WordPicker({ row, onPick, onClose }: WordPickerProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const texts = listRowTexts(row);
  const text = joinTexts(texts);
  useEffect(() => box.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  if (text === "") return null;

  function pick(span: readonly [number, number]) {
    selectSpan(texts, span);
    onPick();
  }
  function close() {
    row.focus({ preventScroll: true });
    onClose();
  }

  return createPortal(
    <div
      ref={box}
      role="toolbar"
      aria-label={t("words.choose")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      className="row-toolbar absolute top-[calc(100%-0.125rem)] z-2 max-w-xl rounded-m border border-rule-control bg-sheet p-1.5 text-ink shadow-sheet"
    >
      <div className="flex max-h-40 flex-wrap gap-1 overflow-y-auto pe-8">
        {listWordSpans(text).map((span) => (
          <button
            key={span[0]}
            type="button"
            lang={row.querySelector("p")?.lang}
            translate="no"
            onClick={() => pick(span)}
            className="touch-target rounded-s px-1.5 py-0.5 text-md hover:bg-paper-3"
          >
            {text.slice(...span)}
          </button>
        ))}
      </div>
      <IconButton
        icon={X}
        label={t("words.close")}
        onClick={close}
        className="absolute top-1 right-1 size-7"
      />
    </div>,
    row,
  );
}
