import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";
import { listen } from "#client/lib/listen.ts";

const smallWindow = window.matchMedia("(width < 43.75rem), (height < 33rem)");
const subscribe = (listener: () => void) => listen(smallWindow, "change", listener);

/** Scrolled by so much, px, the head leaves, or comes back. */
const stepPx = 6;
/** Above this the text is at its beginning. */
const beginningPx = 40;
/** A person's scrolling goes on after the wheel or the finger has stopped; its events follow each other within this. */
const momentumMs = 200;
const scrollKeys = new Set([" ", "PageDown", "PageUp", "ArrowDown", "ArrowUp", "Home", "End"]);
/** When the head has left or come, the page scrolls by its height, so that what is read stays. */
const settlingMs = 150;

/** Whether the scrolling of a text hides what is above it: not at its beginning, and not when one scrolls back. */
export function getFold(isFolded: boolean, lastTop: number, top: number): boolean {
  if (top <= beginningPx) return false;
  return Math.abs(top - lastTop) < stepPx ? isFolded : top > lastTop;
}

/**
 * Where there is little height, the head of a lecture leaves while a person reads on, and comes back with the focus. The
 * page's own scrolling, to a place that was searched or to the end, leaves it where it is.
 */
export function useFold(
  page: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  isRead: boolean,
): boolean {
  const isSmall = useSyncExternalStore(
    subscribe,
    () => smallWindow.matches,
    () => false,
  );
  const isOn = isRead && isSmall;
  const [isFolded, setFolded] = useState(false);
  useEffect(() => {
    const box = page.current;
    // With the tabs below it.
    const line = head.current?.parentElement;
    if (!box || !line || !isOn) return;
    let last = box.scrollTop;
    let folded = false;
    let settled = 0;
    let movedAt = Number.NEGATIVE_INFINITY;
    const noteMove = ({ timeStamp }: Event) => {
      movedAt = timeStamp;
    };
    const update = (next: boolean) => {
      folded = next;
      setFolded(next);
    };
    const handleScroll = ({ timeStamp }: Event) => {
      if (timeStamp - movedAt > momentumMs) {
        last = box.scrollTop;
        return;
      }
      movedAt = timeStamp;
      // By the keyboard: what was touched keeps the focus while one reads on.
      const isUsed = line.querySelector(":focus-visible") !== null;
      const next = !isUsed && (timeStamp < settled ? folded : getFold(folded, last, box.scrollTop));
      if (next !== folded) settled = timeStamp + settlingMs;
      if (next !== folded || timeStamp < settled || Math.abs(box.scrollTop - last) >= stepPx)
        last = box.scrollTop;
      update(next);
    };
    const unlisten = [
      listen(box, "scroll", handleScroll, { passive: true }),
      listen(box, "wheel", noteMove, { passive: true }),
      listen(box, "touchmove", noteMove, { passive: true }),
      listen(window, "keydown", (event) => scrollKeys.has(event.key) && noteMove(event)),
      listen(line, "focusin", () => update(false)),
    ];
    return () => {
      for (const end of unlisten) end();
      setFolded(false);
    };
  }, [page, head, isOn]);
  return isOn && isFolded;
}
