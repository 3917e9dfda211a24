import { type RefObject, useLayoutEffect, useRef } from "react";
import { type Follower, followEnd } from "#client/reading/follow-end.ts";
import { getPosition } from "#client/reading/use-rows.ts";
import { getNextFrom } from "./caption-rows.ts";

interface Elements {
  page: RefObject<HTMLElement | null>;
  text: RefObject<HTMLElement | null>;
  space: RefObject<HTMLElement | null>;
}

/**
 * Keeps the live line of `text` in sight, as the page does, unless the person has scrolled away from it. Has rows that are
 * out of sight taken away (`showFrom`), which moves nothing that is seen. `count`: of rows.
 */
export function useCaptionFollow(
  { page, text, space }: Elements,
  { count, showFrom }: { count: number; showFrom: (from: number) => void },
): void {
  const follower = useRef<Follower>(null);
  useLayoutEffect(() => {
    if (!page.current || !text.current || !space.current) return;
    follower.current = followEnd({ box: page.current, text: text.current, space: space.current });
    return follower.current.end;
  }, [page, text, space]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each new row
  useLayoutEffect(() => {
    const box = page.current;
    if (!follower.current?.isFollowing || !box) return;
    const { top } = box.getBoundingClientRect();
    const rows = [...box.querySelectorAll<HTMLElement>("[data-row]")].map((row) => ({
      position: getPosition(row),
      bottom: row.getBoundingClientRect().bottom - top,
    }));
    const next = getNextFrom(rows);
    if (next !== rows[0]?.position) showFrom(next);
  }, [count]);
}
