import { Dialog } from "#client/ui/dialog.tsx";
import { type MessageKey, useT } from "./dialog-messages/index.ts";

const keys: readonly { key: string; does: MessageKey }[] = [
  { key: "R", does: "shortcuts.record" },
  { key: "S", does: "shortcuts.stop" },
  { key: "Ctrl/⌘ S", does: "shortcuts.save" },
  { key: "/", does: "shortcuts.lectures" },
  { key: "Enter", does: "shortcuts.correct" },
  { key: "?", does: "shortcuts.help" },
];

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("shortcuts.title")}
      closeLabel={t("common.close")}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5">
        {keys.map(({ key, does }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-s border border-rule bg-paper-2 px-2 py-0.5 font-ui text-ink-2 text-sm">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink-2">{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
