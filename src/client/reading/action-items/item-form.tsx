import { useEffect, useRef } from "react";
import { Button } from "#client/ui/button.tsx";
import { Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import type { ActionItem } from "#shared/action-item.ts";
import { actionNameMaxLength, actionTaskMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";

interface ItemFormProps {
  item: ActionItem;
  onSave: (change: Partial<ActionItem>) => void;
  onRemove: () => void;
  onCancel: () => void;
}

/** The fields of an item, in its place. */
export function ItemForm({ item, onSave, onRemove, onCancel }: ItemFormProps) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function submit(values: Record<string, unknown>) {
    const task = String(values.task).trim();
    if (task === "") return { task: t("actions.blank") };
    const dueOn = String(values.dueOn) || null;
    onSave({
      task,
      who: String(values.who).trim() || null,
      // The words that were said do not belong to another day.
      ...(dueOn !== item.dueOn && { dueOn, due: null }),
    });
    return null;
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles a key of its fields
    <div
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onCancel();
      }}
    >
      <Form onSubmit={submit} className="grid gap-3 rounded-m border border-rule bg-sheet p-3">
        <TextField
          ref={field}
          label={t("actions.task")}
          name="task"
          dir="auto"
          autoComplete="off"
          maxLength={actionTaskMaxLength}
          defaultValue={item.task}
        />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3">
          <TextField
            label={t("actions.who")}
            name="who"
            dir="auto"
            autoComplete="off"
            maxLength={actionNameMaxLength}
            defaultValue={item.who ?? ""}
          />
          <TextField
            label={t("actions.due")}
            name="dueOn"
            type="date"
            max="9999-12-31"
            defaultValue={item.dueOn ?? ""}
          />
        </div>
        <div className="flex flex-wrap gap-1.5">
          <Button type="submit" look="ink" size="small">
            {t("actions.save")}
          </Button>
          <Button look="quiet" size="small" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button look="quiet" size="small" onClick={onRemove} className="ml-auto">
            {t("actions.remove")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
