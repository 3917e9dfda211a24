import { type MessageKey, useT } from "./dialog-messages/index.ts";

const shortcuts: readonly { key: string; message: MessageKey }[] = [
  { key: "R", message: "shortcuts.record" },
  { key: "S", message: "shortcuts.stop" },
  { key: "Ctrl/⌘ S", message: "shortcuts.save" },
  { key: "/", message: "shortcuts.lectures" },
  { key: "F", message: "shortcuts.distance" },
  { key: "M", message: "shortcuts.mark" },
  { key: "N", message: "shortcuts.note" },
  { key: "P", message: "shortcuts.play" },
  { key: "Enter", message: "shortcuts.correct" },
  { key: "?", message: "shortcuts.help" },
];

export function ShortcutList() {
  const t = useT();
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5">
      {shortcuts.map(({ key, message }) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded-s border border-rule bg-paper-2 px-2 py-0.5 font-ui text-ink-2 text-sm">
              {key}
            </kbd>
          </dt>
          <dd className="text-ink-2">{t(message)}</dd>
        </div>
      ))}
    </dl>
  );
}
