import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The page counts as being at its end when this close to it. */
const nearPx = 32;
/** A move up by more than this was always made by the user. */
const jumpPx = 200;
/** A smaller one was made by the user if there was input this recently. */
const inputMs = 600;
const inputs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface Follow {
  /** True while the page is kept at its end as it grows. */
  following: boolean;
  /** Scrolls to the end and follows it again. */
  follow: () => void;
  /** Keeps the current position from now on. */
  stopFollowing: () => void;
  /** Scrolls to the top and stops following. */
  scrollToTop: () => void;
}

/** Keeps `page` at its end while `content` grows; scrolling up stops that, scrolling to the end resumes it. */
export function useFollow(
  page: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Follow {
  const [following, setFollowing] = useState(true);
  const followingRef = useRef(true);

  const setFollow = useCallback((next: boolean) => {
    followingRef.current = next;
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
      const remaining = box.scrollHeight - box.clientHeight - box.scrollTop;
      const up = lastTop - box.scrollTop;
      if (remaining <= nearPx) setFollow(true);
      else if (followingRef.current && up > 0) {
        // A sentence that becomes final makes the page shorter for a moment, which also scrolls it a little.
        if (up > jumpPx || event.timeStamp - lastInput < inputMs) setFollow(false);
        else box.scrollTop = box.scrollHeight;
      }
      lastTop = box.scrollTop;
    };
    const resizeObserver = new ResizeObserver(() => {
      if (followingRef.current) box.scrollTop = box.scrollHeight;
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
  }, [page, content, setFollow]);

  const follow = useCallback(() => {
    setFollow(true);
    if (page.current) page.current.scrollTop = page.current.scrollHeight;
  }, [setFollow, page]);

  const stopFollowing = useCallback(() => setFollow(false), [setFollow]);

  const scrollToTop = useCallback(() => {
    setFollow(false);
    if (page.current) page.current.scrollTop = 0;
  }, [setFollow, page]);

  return { following, follow, stopFollowing, scrollToTop };
}
