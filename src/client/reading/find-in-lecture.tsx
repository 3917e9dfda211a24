import { useEffect } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart, preloadWhenIdle } from "#client/lib/lazy.tsx";
import { listen } from "#client/lib/listen.ts";
import { getShortcutKey } from "#client/lib/shortcut-key.ts";
import { readingDialogMessages } from "./dialog-messages/index.ts";
import type { FindBarProps } from "./find-bar.tsx";
import { isFindOpen } from "./reading-state.ts";
import { isPopupOpen } from "./use-overlay.ts";

const FindBar = lazyPart(() => import("./find-bar.tsx"), readingDialogMessages);

/** Ctrl+F or ⌘F in the transcript opens the field; pressed again in the field, it opens the browser's own. */
export function FindInLecture(props: FindBarProps) {
  const isOpen = useValue(isFindOpen);
  const { page } = props;
  // What is typed after the key must not reach the page.
  useEffect(() => preloadWhenIdle(FindBar.preload), []);
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && getShortcutKey(event) === "f";
      if (!isFind || event.shiftKey || event.altKey || isPopupOpen()) return;
      const { target } = event;
      const surface = page.current?.closest("[data-reading]");
      const isInside =
        target === document.body || (target instanceof Node && surface?.contains(target));
      if (!isInside || (target instanceof Element && target.closest("[data-find]"))) return;
      event.preventDefault();
      isFindOpen.set(true);
      surface?.querySelector<HTMLElement>("[data-find] input")?.focus();
    };
    return listen(window, "keydown", handleKeyDown);
  }, [page]);
  useEffect(() => () => isFindOpen.set(false), []);
  if (!isOpen) return null;
  return <FindBar {...props} />;
}
