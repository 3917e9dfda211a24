import { Pencil } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import { findRow, getPosition } from "./use-rows.ts";

interface RowToolsProps {
  /** The positioned element that contains the rows. */
  content: RefObject<HTMLElement | null>;
  edit: (position: number) => void;
}

/** One edit button for all rows, beside the one that is hovered, touched or focused. */
export function RowTools({ content, edit }: RowToolsProps) {
  const t = useT();
  const tools = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<{ position: number; top: number } | null>(null);

  useEffect(() => {
    const box = content.current;
    if (!box) return;
    const show = (event: Event) => {
      if (tools.current?.contains(event.target instanceof Node ? event.target : null)) return;
      const row = findRow(event.target);
      // A row that is being edited needs no edit button.
      if (!row || row.querySelector("textarea")) return setTarget(null);
      const position = getPosition(row);
      const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
      setTarget((current) =>
        current?.position === position && current.top === top ? current : { position, top },
      );
    };
    const hide = () => setTarget(null);
    box.addEventListener("pointerover", show);
    box.addEventListener("focusin", show);
    box.addEventListener("pointerleave", hide);
    return () => {
      box.removeEventListener("pointerover", show);
      box.removeEventListener("focusin", show);
      box.removeEventListener("pointerleave", hide);
    };
  }, [content]);

  if (!target) return null;
  return (
    <div
      ref={tools}
      className="absolute -left-6 max-book:right-0 max-book:left-auto"
      style={{ top: target.top }}
    >
      <IconButton
        label={t("record.correctRow")}
        tabIndex={-1}
        onClick={() => {
          setTarget(null);
          edit(target.position);
        }}
        className="mt-1.5 size-7 bg-paper text-ink-3 max-book:bg-paper-2"
      >
        <Pencil className="size-3.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
