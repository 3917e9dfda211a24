import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** This near to its end the page counts as being at its end. */
const nearPx = 32;
/** A move up by more than this is somebody's, whatever made it. */
const jumpPx = 200;
/** A smaller one is, when they touched the page this recently. */
const inputMs = 600;
const inputs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface Follow {
  /** True while the page stays at its end as it grows. */
  following: boolean;
  /** Takes hold of the end again. */
  follow: () => void;
  /** Stays where it is from now on. */
  stopFollowing: () => void;
  /** Goes to the top and stays there. */
  scrollToTop: () => void;
}

/** Keeps `page` at its end while `content` grows; scrolling up lets go, scrolling to the end takes hold. */
export function useFollow(
  page: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Follow {
  const [following, setFollowing] = useState(true);
  const holds = useRef(true);

  const hold = useCallback((next: boolean) => {
    holds.current = next;
    setFollowing(next);
  }, []);

  useEffect(() => {
    const box = page.current;
    const inner = content.current;
    if (!box || !inner) return;
    let lastTop = box.scrollTop;
    let lastInput = Number.NEGATIVE_INFINITY;
    const handleInput = (event: Event) => {
      lastInput = event.timeStamp;
    };
    const handleScroll = (event: Event) => {
      const left = box.scrollHeight - box.clientHeight - box.scrollTop;
      const up = lastTop - box.scrollTop;
      if (left <= nearPx) hold(true);
      else if (holds.current && up > 0) {
        // A sentence that settles makes the page shorter for a moment, and that moves it a little too.
        if (up > jumpPx || event.timeStamp - lastInput < inputMs) hold(false);
        else box.scrollTop = box.scrollHeight;
      }
      lastTop = box.scrollTop;
    };
    const resizeObserver = new ResizeObserver(() => {
      if (holds.current) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener("scroll", handleScroll, { passive: true });
    for (const kind of inputs) box.addEventListener(kind, handleInput, { passive: true });
    resizeObserver.observe(inner);
    resizeObserver.observe(box);
    return () => {
      box.removeEventListener("scroll", handleScroll);
      for (const kind of inputs) box.removeEventListener(kind, handleInput);
      resizeObserver.disconnect();
    };
  }, [page, content, hold]);

  const follow = useCallback(() => {
    hold(true);
    if (page.current) page.current.scrollTop = page.current.scrollHeight;
  }, [hold, page]);

  const stopFollowing = useCallback(() => hold(false), [hold]);

  const scrollToTop = useCallback(() => {
    hold(false);
    if (page.current) page.current.scrollTop = 0;
  }, [hold, page]);

  return { following, follow, stopFollowing, scrollToTop };
}
