import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { IconButton } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";

interface ProgramListProps<T extends { id: string }> {
  items: readonly T[];
  renderItem: (item: T) => ReactNode;
  /** Labels of the button that removes one, and the question before it. */
  removal: {
    label: (item: T) => string;
    title: string;
    text: (item: T) => string;
    confirmLabel: string;
    busyLabel: string;
    failed: string;
  };
  onRemove: (item: T) => Promise<void>;
}

/** Tokens or webhooks, each with a button that removes it. */
export function ProgramList<T extends { id: string }>(props: ProgramListProps<T>) {
  const { items, renderItem, removal, onRemove } = props;
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  /** What the question is about. The closing dialog keeps it. */
  const [chosen, setChosen] = useState<T | null>(null);

  async function remove(): Promise<boolean> {
    if (chosen === null) return true;
    try {
      await onRemove(chosen);
      return true;
    } catch (failure) {
      toastFailure(removal.failed, getErrorMessage(failure));
      return false;
    }
  }

  return (
    <>
      <ul className="divide-y divide-rule rounded-m border border-rule">
        {items.map((item) => (
          <li key={item.id} className="flex items-center gap-3 py-2 pr-1.5 pl-3.5">
            <div className="min-w-0 flex-1">{renderItem(item)}</div>
            <IconButton
              icon={Trash2}
              label={removal.label(item)}
              onClick={() => {
                setChosen(item);
                setQuestionOpen(true);
              }}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isQuestionOpen}
        title={removal.title}
        text={chosen ? removal.text(chosen) : ""}
        confirmLabel={removal.confirmLabel}
        busyLabel={removal.busyLabel}
        onClose={() => setQuestionOpen(false)}
        onConfirm={remove}
      />
    </>
  );
}
