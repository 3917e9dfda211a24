import type { ShortcutKey } from "#client/reading/use-shortcuts.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { type MessageKey, useT } from "./messages/index.ts";

interface Entry {
  keys: string;
  message: MessageKey;
}

/** What each shortcut does; a new one does not compile without it. In the order of the list. */
const entries: Record<ShortcutKey, Entry> = {
  r: { keys: "R", message: "shortcuts.record" },
  s: { keys: "S", message: "shortcuts.stop" },
  "mod+s": { keys: "Ctrl/⌘ S", message: "shortcuts.save" },
  m: { keys: "M", message: "shortcuts.mark" },
  n: { keys: "N", message: "shortcuts.note" },
  c: { keys: "C", message: "shortcuts.recap" },
  p: { keys: "P", message: "shortcuts.play" },
  g: { keys: "G", message: "shortcuts.addTerm" },
  l: { keys: "L", message: "shortcuts.lookUp" },
  a: { keys: "A", message: "shortcuts.ask" },
  f: { keys: "F", message: "shortcuts.distance" },
  w: { keys: "W", message: "shortcuts.captions" },
  "/": { keys: "/", message: "shortcuts.lectures" },
  "?": { keys: "?", message: "shortcuts.help" },
};

/** Keys of a part of the page that has the focus, where the page has such a part. */
const parts: readonly { selector: string; entries: readonly Entry[] }[] = [
  {
    selector: "[data-row]",
    entries: [
      { keys: "Enter", message: "shortcuts.sentences" },
      { keys: "↑ ↓", message: "shortcuts.nextSentence" },
      { keys: "Space", message: "shortcuts.otherLanguage" },
      { keys: "Ctrl/⌘ F", message: "shortcuts.find" },
    ],
  },
  {
    selector: "[role=tree]",
    entries: [
      { keys: "↑ ↓ ← →", message: "shortcuts.tree" },
      { keys: "F2", message: "shortcuts.rename" },
      { keys: "Ctrl/⌘ X, V", message: "shortcuts.move" },
      { keys: "Delete", message: "shortcuts.delete" },
    ],
  },
];

/** A field that is reached by its key has the key as an attribute. */
const isShown = (key: string, shortcuts: ReadonlySet<string>) =>
  shortcuts.has(key) || document.querySelector(`input[aria-keyshortcuts="${key}"]`) !== null;

function listEntries(shortcuts: ReadonlySet<string>): Entry[] {
  return [
    ...Object.entries(entries).flatMap(([key, entry]) => (isShown(key, shortcuts) ? [entry] : [])),
    ...parts.flatMap((part) => (document.querySelector(part.selector) ? part.entries : [])),
    { keys: "Esc", message: "shortcuts.close" },
  ];
}

interface ShortcutDialogProps {
  shortcuts: ReadonlySet<string>;
  open: boolean;
  onClose: () => void;
}

export default function ShortcutDialog({ shortcuts, open, onClose }: ShortcutDialogProps) {
  const t = useT();
  return (
    <Dialog open={open} onClose={onClose} title={t("shortcuts.title")}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5">
        {listEntries(shortcuts).map(({ keys, message }) => (
          <div key={message} className="contents">
            <dt>
              <kbd className="whitespace-nowrap rounded-s border border-rule bg-paper-2 px-2 py-0.5 font-ui text-ink-2 text-sm">
                {keys}
              </kbd>
            </dt>
            <dd className="text-ink-2">{t(message)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
