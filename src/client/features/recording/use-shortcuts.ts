import { useEffect, useEffectEvent } from "react";
import { isPopupOpen } from "./use-overlay.ts";

export interface Shortcuts {
  record: () => void;
  stop: () => void;
  save: () => void;
  lectures: () => void;
  help: () => void;
}

/** The shortcut of `event`; null where the key belongs to a field, a dialog or the browser. */
function getShortcut(event: KeyboardEvent): keyof Shortcuts | null {
  if (event.defaultPrevented || event.repeat || event.altKey) return null;
  if (isPopupOpen()) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === "s" && !event.shiftKey ? "save" : null;
  const target = event.target;
  if (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]"))
    return null;
  switch (key) {
    case "r":
      return "record";
    case "s":
      return "stop";
    case "/":
      return "lectures";
    case "?":
      return "help";
    default:
      return null;
  }
}

export function useShortcuts(shortcuts: Shortcuts): void {
  const run = useEffectEvent((shortcut: keyof Shortcuts) => shortcuts[shortcut]());
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
