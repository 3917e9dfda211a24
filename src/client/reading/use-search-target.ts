import { type RefObject, useEffect, useMemo } from "react";
import type { RowBlock } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { createRange, highlight, scrollToRow } from "./highlight.ts";
import { shownSound } from "./reading-state.ts";
import { findTargetRow, listHitMatches, searchTarget } from "./search-target.ts";
import { markedOnly } from "./use-marks.ts";
import { findRowAt } from "./use-rows.ts";

/**
 * Scrolls to the row that a search result leads to, focuses it and marks what was found. `blocks` are all of the lecture: if
 * only marked rows are shown and it is none of them, all are shown again. The sound, where it is kept, is heard from there.
 */
export function useSearchTarget(
  page: RefObject<HTMLElement | null>,
  blocks: readonly RowBlock[],
  stopFollowing: () => void,
): void {
  const player = useValue(shownSound);
  const target = useValue(searchTarget);
  const row = useMemo(() => target && findTargetRow(target, blocks), [target, blocks]);
  const position = row?.position ?? null;

  useEffect(() => {
    if (!page.current || position === null) return;
    stopFollowing();
    const box = page.current;
    if (!findRowAt(box, position)) markedOnly.set(false);
    const stop = scrollToRow(box, position, (element) => {
      element.dataset.hit = "";
      element.focus({ preventScroll: true });
    });
    return () => {
      stop();
      delete findRowAt(box, position)?.dataset.hit;
    };
  }, [page, position, stopFollowing]);

  const startMs = row && row.endMs > 0 ? row.startMs : null;
  useEffect(() => {
    if (player && startMs !== null && !player.state.get().isPlaying) player.seek(startMs);
  }, [player, startMs]);

  const hit = target?.hit ?? null;
  useEffect(() => {
    if (!page.current || !row) return;
    const element = findRowAt(page.current, row.position);
    if (!element) return;
    highlight(
      "hits",
      listHitMatches(row, hit).flatMap((match) => createRange(element, match) ?? []),
    );
    return () => highlight("hits", []);
  }, [page, row, hit]);
}
