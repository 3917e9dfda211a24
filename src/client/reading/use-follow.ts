import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { listen } from "#client/lib/listen.ts";
import {
  type FollowedText,
  getFollowTop,
  getGlideMs,
  getGlidePart,
  isLineVisible,
  type VisiblePart,
} from "./follow-position.ts";
import { findReadRow } from "./use-rows.ts";

/** A move up by more than this was always made by the user. */
const jumpPx = 200;
/** A smaller one was made by the user if there was input this recently. */
const inputMs = 600;
/** So much of a notice below the live line is followed too, as a part of the page's height: its title and what it says. */
const noticePart = 0.35;
const layoutFrames = 3;

/**
 * Follows the live line in `content`, a sentence or a few at a time; scrolling up stops that, scrolling down to the line
 * resumes it. The text stays where it is in the window when bars above `page` come or go; when its width or size
 * changes, the first row that is wholly in view does.
 */
export function useFollow(
  page: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  /** The page moves on as the text grows. */
  const [following, setFollowing] = useState(true);
  const followingRef = useRef(true);
  const showLine = useRef(() => {});

  const setFollow = useCallback((next: boolean) => {
    followingRef.current = next;
    setFollowing(next);
  }, []);

  useEffect(() => {
    const box = page.current;
    const inner = content.current;
    if (!box || !inner) return;
    const glide = createGlide(box);
    let lastTop = 0;
    let lastInput = Number.NEGATIVE_INFINITY;
    /** Not read before the first layout: that would force one in the middle of the first render. */
    let lastY: number | null = null;
    let wasOverlay = false;
    /** Width and size of the text, when it was last laid out. */
    let measure: string | null = null;
    /** The row that is being read, its distance from the top of `box`, and where `box` was scrolled to. */
    let readRow: { row: HTMLElement; distance: number; scrollTop: number } | null = null;

    const getMeasure = () => `${inner.clientWidth} ${inner.style.fontSize}`;
    const getDistance = (row: HTMLElement) =>
      row.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const rememberRow = () => {
      const row = findReadRow(box);
      readRow = row && { row, distance: getDistance(row), scrollTop: box.scrollTop };
    };
    const restoreRow = () => {
      // Where the page was scrolled meanwhile, this is the new place.
      const isThere = readRow?.row.isConnected && readRow.scrollTop === box.scrollTop;
      if (readRow === null || !isThere || glide.target !== null) return rememberRow();
      box.scrollTop += getDistance(readRow.row) - readRow.distance;
      // Not measured again: the browser rounds the position, and the error would grow.
      readRow = { ...readRow, scrollTop: box.scrollTop };
    };

    const getStart = () => box.getBoundingClientRect().top - box.scrollTop;
    const measureLine = (): FollowedText["line"] => {
      const start = getStart();
      const { bottom } = inner.getBoundingClientRect();
      const line = inner.querySelector("[data-live-line]")?.getBoundingClientRect();
      const notice = inner.querySelector("[data-live-notice]")?.getBoundingClientRect();
      const top = (line ?? notice)?.top ?? bottom;
      const end = notice
        ? Math.min(notice.bottom, notice.top + noticePart * box.clientHeight)
        : (line?.bottom ?? bottom);
      return { top: top - start, bottom: end - start };
    };
    const listRowTops = (): number[] => {
      const start = getStart();
      const rows = [...inner.querySelectorAll("[data-row]")].slice(-2);
      return rows.map((row) => row.getBoundingClientRect().top - start);
    };
    const measureHead = (): number => {
      const text = inner.querySelector("[data-live-line], [data-row]");
      return text === null ? 0 : Number.parseFloat(getComputedStyle(text).scrollMarginTop) || 0;
    };
    const measureVisible = (): VisiblePart => ({
      scrollTop: glide.target ?? box.scrollTop,
      height: box.clientHeight,
      head: measureHead(),
    });
    /** Where to scroll to; null while the line is visible. */
    const findTop = (visible: VisiblePart): number | null => {
      const line = measureLine();
      if (isLineVisible(line, visible)) return null;
      return getFollowTop({ line, rowTops: listRowTops() }, visible);
    };
    showLine.current = () => {
      // An empty page is read from its beginning.
      if (!inner.querySelector("[data-live-line], [data-row]")) return;
      const top = findTop(measureVisible());
      if (top === null) return;
      const isFar = Math.abs(top - box.scrollTop) > box.clientHeight;
      glide.to(top);
      if (!isFar) return;
      glide.settle(() =>
        followingRef.current
          ? (findTop({ ...measureVisible(), scrollTop: 0 }) ?? 0)
          : box.scrollTop,
      );
    };
    const handleInput = (event: Event) => {
      lastInput = event.timeStamp;
      if (event.type === "wheel" || event.type === "touchmove") glide.stop();
    };
    const handleScroll = (event: Event) => {
      // By the browser, because the text has become shorter: its position is restored after this event.
      if (measure !== null && measure !== getMeasure()) return;
      const up = lastTop - box.scrollTop;
      lastTop = box.scrollTop;
      if (readRow?.scrollTop !== box.scrollTop) rememberRow();
      if (glide.target !== null) return;
      const isByUser = event.timeStamp - lastInput < inputMs;
      if (up > 0) {
        if (followingRef.current && (up > jumpPx || isByUser)) setFollow(false);
      } else if (!followingRef.current && isByUser) {
        if (isLineVisible(measureLine(), measureVisible())) setFollow(true);
      }
    };
    const resizeObserver = new ResizeObserver((entries) => {
      const y = box.getBoundingClientRect().top;
      const isOverlay = box.closest("[data-overlay]") !== null;
      measure = getMeasure();
      // At the top the first row stays in sight instead.
      if (lastY !== null && y !== lastY && isOverlay === wasOverlay && box.scrollTop > 0)
        glide.to(box.scrollTop + y - lastY, { immediate: true });
      else restoreRow();
      lastY = y;
      wasOverlay = isOverlay;
      lastTop = box.scrollTop;
      if (followingRef.current && entries.some(({ target }) => target === inner))
        showLine.current();
    });
    const unlisten = [
      listen(box, "scroll", handleScroll, { passive: true }),
      listen(box, ["wheel", "touchmove", "pointerdown", "keydown"], handleInput, { passive: true }),
    ];
    resizeObserver.observe(inner);
    resizeObserver.observe(box);
    return () => {
      glide.stop();
      for (const end of unlisten) end();
      resizeObserver.disconnect();
    };
  }, [page, content, setFollow]);

  /** Shows the live line and follows it again. */
  const follow = useCallback(() => {
    setFollow(true);
    showLine.current();
  }, [setFollow]);

  const stopFollowing = useCallback(() => setFollow(false), [setFollow]);

  const scrollToTop = useCallback(() => {
    setFollow(false);
    if (page.current) page.current.scrollTop = 0;
  }, [setFollow, page]);

  return { following, follow, stopFollowing, scrollToTop };
}

/** Scrolls `box` smoothly: at once over more than its height, and where less motion is wanted. */
function createGlide(box: HTMLElement) {
  let frame = 0;
  let target: number | null = null;
  const stop = () => {
    cancelAnimationFrame(frame);
    target = null;
  };
  return {
    /** Where it ends; null while nothing moves. */
    get target() {
      return target;
    },
    stop,
    /** After a jump: scrolls to `getTop()` while rows out of view, whose heights were estimated, are laid out. */
    settle(getTop: () => number) {
      const step = (count: number) => {
        box.scrollTop = getTop();
        if (count < layoutFrames) frame = requestAnimationFrame(() => step(count + 1));
      };
      frame = requestAnimationFrame(() => step(1));
    },
    to(top: number, { immediate = false } = {}) {
      stop();
      const from = box.scrollTop;
      const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (immediate || isStill || Math.abs(top - from) > box.clientHeight) {
        box.scrollTop = top;
        return;
      }
      target = top;
      const start = performance.now();
      const durationMs = getGlideMs(top - from);
      const step = (now: number) => {
        const part = getGlidePart((now - start) / durationMs);
        box.scrollTop = from + (top - from) * part;
        if (part < 1) frame = requestAnimationFrame(step);
        else target = null;
      };
      frame = requestAnimationFrame(step);
    },
  };
}
