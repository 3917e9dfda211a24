import { Pencil } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import { findRow, getPosition } from "./use-rows.ts";

interface RowToolsProps {
  /** What the rows are in; it is positioned. */
  content: RefObject<HTMLElement | null>;
  edit: (position: number) => void;
}

/** One pencil for all rows, beside the one under the pointer, under the finger or in focus. */
export function RowTools({ content, edit }: RowToolsProps) {
  const t = useT();
  const tools = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ position: number; top: number } | null>(null);

  useEffect(() => {
    const box = content.current;
    if (!box) return;
    const show = (event: Event) => {
      if (tools.current?.contains(event.target instanceof Node ? event.target : null)) return;
      const row = findRow(event.target);
      // A row that is being corrected holds fields already.
      if (!row || row.querySelector("textarea")) return setAt(null);
      const position = getPosition(row);
      const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
      setAt((now) => (now?.position === position && now.top === top ? now : { position, top }));
    };
    const hide = () => setAt(null);
    box.addEventListener("pointerover", show);
    box.addEventListener("focusin", show);
    box.addEventListener("pointerleave", hide);
    return () => {
      box.removeEventListener("pointerover", show);
      box.removeEventListener("focusin", show);
      box.removeEventListener("pointerleave", hide);
    };
  }, [content]);

  if (!at) return null;
  return (
    <div
      ref={tools}
      className="absolute -left-6 max-book:right-0 max-book:left-auto"
      style={{ top: at.top }}
    >
      <IconButton
        label={t("record.correctRow")}
        tabIndex={-1}
        onClick={() => {
          setAt(null);
          edit(at.position);
        }}
        className="mt-1.5 size-7 bg-paper text-ink-3 max-book:bg-paper-2"
      >
        <Pencil className="size-3.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
