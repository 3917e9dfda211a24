import { useEffect } from "react";
import { whenIdle } from "#client/lib/browser.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import { readingDialogMessages } from "./dialog-messages/index.ts";
import type { FindBarProps } from "./find-bar.tsx";
import { isPopupOpen } from "./popups.ts";
import { isFindOpen } from "./reading-state.ts";

const loadFindBar = () => import("./find-bar.tsx");
const FindBar = lazyPart(loadFindBar, readingDialogMessages);

/** Ctrl+F or ⌘F in the transcript opens the field; pressed again in the field, it opens the browser's own. */
export function FindInLecture(props: FindBarProps) {
  const isOpen = useValue(isFindOpen);
  const { page } = props;
  // What is typed after the key must not reach the page.
  useEffect(
    () => whenIdle(() => void Promise.allSettled([loadFindBar(), readingDialogMessages.load()])),
    [],
  );
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const isFind = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey);
      if (!isFind || event.shiftKey || event.altKey || isPopupOpen()) return;
      const { target } = event;
      const isInside =
        target === document.body || (target instanceof Node && page.current?.contains(target));
      if (!isInside || (target instanceof Element && target.closest("[data-find]"))) return;
      event.preventDefault();
      isFindOpen.set(true);
      page.current?.querySelector<HTMLElement>("[data-find] input")?.focus();
    };
    window.addEventListener("keydown", handleKeyDown);
    return () => {
      window.removeEventListener("keydown", handleKeyDown);
      isFindOpen.set(false);
    };
  }, [page]);
  if (!isOpen) return null;
  return <FindBar {...props} />;
}
