import { useEffect, useEffectEvent } from "react";
import { isPopupOpen } from "#client/reading/use-overlay.ts";

type Shortcut = "record" | "stop" | "save" | "lectures" | "help";

const keys = new Map<string, Shortcut>([
  ["r", "record"],
  ["s", "stop"],
  ["/", "lectures"],
  ["?", "help"],
]);

/** The shortcut of `event`; null where the key belongs to a field, a dialog or the browser. */
function getShortcut(event: KeyboardEvent): Shortcut | null {
  if (event.defaultPrevented || event.repeat || event.altKey) return null;
  if (isPopupOpen()) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === "s" && !event.shiftKey ? "save" : null;
  const target = event.target;
  if (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]"))
    return null;
  return keys.get(key) ?? null;
}

export function useShortcuts(shortcuts: Record<Shortcut, () => void>): void {
  const run = useEffectEvent((shortcut: Shortcut) => shortcuts[shortcut]());
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const shortcut = getShortcut(event);
      if (!shortcut) return;
      event.preventDefault();
      run(shortcut);
    };
    window.addEventListener("keydown", handleKeyDown);
    return () => window.removeEventListener("keydown", handleKeyDown);
  }, []);
}
