import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { IconButton } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { useT } from "./messages/index.ts";

/** What a list holds; its messages begin with it. */
export type ProgramKind = "tokens" | "webhooks";

interface ProgramListProps<T extends { id: string }> {
  kind: ProgramKind;
  items: readonly T[];
  /** Names one in the question whether it is removed. */
  getName: (item: T) => string;
  renderItem: (item: T) => ReactNode;
  onRemove: (item: T) => Promise<void>;
}

/** Tokens or webhooks, each with a button that removes it. */
export function ProgramList<T extends { id: string }>(props: ProgramListProps<T>) {
  const { kind, items, getName, renderItem, onRemove } = props;
  const t = useT();
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  /** What the question is about. The closing dialog keeps it. */
  const [chosen, setChosen] = useState<T | null>(null);

  async function remove(): Promise<boolean> {
    if (chosen === null) return true;
    try {
      await onRemove(chosen);
      return true;
    } catch (failure) {
      toastFailure(t(`${kind}.removeFailed`), getErrorMessage(failure));
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
              label={t(`${kind}.removeOne`, { name: getName(item) })}
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
        title={t(`${kind}.removeTitle`)}
        text={chosen ? t(`${kind}.removeText`, { name: getName(chosen) }) : ""}
        confirmLabel={t(`${kind}.remove`)}
        busyLabel={t(`${kind}.removing`)}
        onClose={() => setQuestionOpen(false)}
        onConfirm={remove}
      />
    </>
  );
}
