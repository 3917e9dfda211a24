import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** This near to its end the page counts as being at its end. */
const nearPx = 32;

interface Follow {
  /** True while the page stays at its end as it grows. */
  following: boolean;
  /** Takes hold of the end again. */
  follow: () => void;
  /** Goes to the top and stays where it is from then on. */
  release: () => void;
}

/**
 * Keeps `page` at its end while `content` grows. Scrolling up lets go; scrolling down to the end, or
 * `follow`, takes hold again. Nothing moves under a reader who has let go.
 */
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
    let lastHeight = box.scrollHeight;
    const scrolled = () => {
      const left = box.scrollHeight - box.clientHeight - box.scrollTop;
      const shrunk = box.scrollHeight < lastHeight;
      if (left <= nearPx) hold(true);
      // A page that got shorter moves by itself; that is not a reader going back.
      else if (box.scrollTop < lastTop && !shrunk) hold(false);
      lastTop = box.scrollTop;
      lastHeight = box.scrollHeight;
    };
    const grown = new ResizeObserver(() => {
      if (holds.current) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener("scroll", scrolled, { passive: true });
    grown.observe(inner);
    grown.observe(box);
    return () => {
      box.removeEventListener("scroll", scrolled);
      grown.disconnect();
    };
  }, [page, content, hold]);

  const follow = useCallback(() => {
    hold(true);
    if (page.current) page.current.scrollTop = page.current.scrollHeight;
  }, [hold, page]);

  const release = useCallback(() => {
    hold(false);
    if (page.current) page.current.scrollTop = 0;
  }, [hold, page]);

  return { following, follow, release };
}
