import { useEffectEvent, useLayoutEffect } from "react";
import { isPopupOpen } from "./popups.ts";

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
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const find = useEffectEvent((shortcut: string) =>
    Object.hasOwn(shortcuts, shortcut) ? shortcuts[shortcut] : undefined,
  );
  // Other effects run after the paint: a key that is pressed as soon as the page is seen would be lost.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const shortcut = getShortcut(event);
      const run = shortcut === null ? undefined : find(shortcut);
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", handleKeyDown);
    return () => window.removeEventListener("keydown", handleKeyDown);
  }, []);
}
