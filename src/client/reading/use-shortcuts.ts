import { useEffectEvent, useLayoutEffect } from "react";
import { isPopupOpen } from "./popups.ts";

/** The keys that parts of pages react to; `mod+` is Ctrl or ⌘. The shortcut list says what they do. */
export type ShortcutKey = "r" | "s" | "mod+s" | "/" | "f" | "m" | "n" | "p" | "?";
type Shortcuts = Readonly<Partial<Record<ShortcutKey, () => void>>>;

/** The shortcuts of the parts that are shown. */
const shown = new Set<() => Shortcuts>();
export const listShortcuts = () => new Set([...shown].flatMap((get) => Object.keys(get())));

/** The key of `event`, with `mod+` before it for Ctrl or ⌘; null where it belongs to a field or a dialog. */
function getShortcut(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.repeat || event.altKey) return null;
  if (isPopupOpen()) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `mod+${key}`;
  const target = event.target;
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
      const all: Partial<Record<string, () => void>> = get();
      const run = shortcut !== null && Object.hasOwn(all, shortcut) ? all[shortcut] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    const list = () => get();
    shown.add(list);
    window.addEventListener("keydown", handleKeyDown);
    return () => {
      shown.delete(list);
      window.removeEventListener("keydown", handleKeyDown);
    };
  }, []);
}
