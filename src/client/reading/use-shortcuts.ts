import { useEffectEvent, useLayoutEffect } from "react";
import { listen } from "#client/lib/listen.ts";
import { getShortcutKey } from "#client/lib/shortcut-key.ts";
import { isPopupOpen } from "./use-overlay.ts";

/** The keys that parts of pages react to; `mod+` is Ctrl or ⌘. The shortcut list says what they do. */
export type ShortcutKey =
  | "r"
  | "s"
  | "mod+s"
  | "/"
  | "f"
  | "m"
  | "n"
  | "c"
  | "p"
  | "a"
  | "g"
  | "l"
  | "w"
  | "?";
type Shortcuts = Readonly<Partial<Record<ShortcutKey, () => void>>>;

/** Each returns the shortcuts of a part that is shown. */
export const shownShortcuts = new Set<() => Shortcuts>();

/** The key of `event`, with `mod+` before it for Ctrl or ⌘; null where it belongs to a field or a dialog. */
function getShortcut(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.repeat || event.altKey) return null;
  if (isPopupOpen()) return null;
  const key = getShortcutKey(event);
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `mod+${key}`;
  const { target } = event;
  if (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]"))
    return null;
  return key;
}

/** Runs the function of a key, such as `r` or `mod+s`, wherever on the page it is pressed. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const get = useEffectEvent(() => shortcuts);
  // Other effects run after the paint: a key that is pressed as soon as the page is seen would be lost.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const shortcut = getShortcut(event);
      const run = Object.entries(get()).find(([key]) => key === shortcut)?.[1];
      if (!run) return;
      event.preventDefault();
      run();
    };
    const list = () => get();
    shownShortcuts.add(list);
    const unlisten = listen(window, "keydown", handleKeyDown);
    return () => {
      shownShortcuts.delete(list);
      unlisten();
    };
  }, []);
}
