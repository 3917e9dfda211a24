import { FolderInput, Trash2 } from "lucide-react";
import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { Button } from "#client/ui/button.tsx";

interface SelectionBarProps {
  count: number;
  /** Lectures are being loaded or changed. */
  busy: boolean;
  onAll: () => void;
  onMove: () => void;
  onDelete: () => void;
  onDone: () => void;
}

/** What can be done with the lectures that are selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, busy, onAll, onMove, onDelete, onDone } = props;
  const t = useT();
  const isIdle = count > 0 && !busy;
  return (
    <div
      role="toolbar"
      aria-label={t("home.select")}
      className="sticky top-0 z-1 -mx-3 mt-1 flex flex-wrap items-center gap-2 rounded-m bg-paper-2 px-3 py-2"
    >
      <p role="status" className="tabular mr-auto text-ink-2 text-sm">
        {t("home.selected", { count })}
      </p>
      <Button size="small" look="quiet" disabled={busy} onClick={onAll}>
        {t("home.selectAll")}
      </Button>
      <Button size="small" disabled={!isIdle} onClick={onMove}>
        <FolderInput className="size-4" />
        {t("tree.moveTo")}
      </Button>
      <Button size="small" look="danger" disabled={!isIdle} onClick={onDelete}>
        <Trash2 className="size-4" />
        {t("delete.confirm")}
      </Button>
      <Button size="small" look="ink" onClick={onDone}>
        {t("home.done")}
      </Button>
    </div>
  );
}
