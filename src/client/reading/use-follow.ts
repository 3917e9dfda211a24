import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type Follower, followEnd } from "./follow-end.ts";

interface Elements {
  page: RefObject<HTMLElement | null>;
  text: RefObject<HTMLElement | null>;
  space: RefObject<HTMLElement | null>;
}

/** Follows the end of `text` in `page`; see `followEnd`. */
export function useFollow({ page, text, space }: Elements) {
  const [following, setFollowing] = useState(true);
  const follower = useRef<Follower>(null);

  useEffect(() => {
    if (!page.current || !text.current || !space.current) return;
    const elements = { box: page.current, text: text.current, space: space.current };
    const created = followEnd(elements, setFollowing);
    follower.current = created;
    return created.end;
  }, [page, text, space]);

  const follow = useCallback(() => follower.current?.follow(), []);
  /** Returns whether it followed until now. */
  const stopFollowing = useCallback(() => {
    const wasFollowing = follower.current?.isFollowing ?? false;
    follower.current?.letGo();
    return wasFollowing;
  }, []);
  const scrollToTop = useCallback(() => {
    follower.current?.letGo();
    if (page.current) page.current.scrollTop = 0;
  }, [page]);

  return { following, follow, stopFollowing, scrollToTop };
}
