import { useState } from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { shownShortcuts, useShortcuts } from "#client/reading/use-shortcuts.ts";
import { shortcutMessages } from "./messages/index.ts";

const ShortcutDialog = lazyPart(() => import("./shortcut-dialog.tsx"), shortcutMessages);

/** On every page `?` shows the keys that it reacts to. */
export default function ShortcutHelp() {
  const [open, setOpen] = useState(false);
  /** Of the page when the list was last opened; null before. */
  const [shortcuts, setShortcuts] = useState<ReadonlySet<string> | null>(null);
  useShortcuts({
    "?": () => {
      setShortcuts(new Set([...shownShortcuts].flatMap((list) => Object.keys(list()))));
      setOpen(true);
    },
  });
  return shortcuts ? (
    <ShortcutDialog shortcuts={shortcuts} open={open} onClose={() => setOpen(false)} />
  ) : null;
}
