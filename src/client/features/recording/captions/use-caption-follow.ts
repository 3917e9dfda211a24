import { type RefObject, useLayoutEffect, useRef } from "react";
import { getFollowTop, getGlideMs, isLineVisible } from "#client/reading/follow-position.ts";
import { getWindow } from "#client/reading/live-space.ts";
import { findRowAt, getPosition } from "#client/reading/use-rows.ts";
import { getNextFrom } from "./caption-rows.ts";

/** A scroll so soon after input is the person's, ms. */
const inputMs = 600;
/** A line fits if it is no higher, as a part of the window. */
const fitting = 0.8;
const inputs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Keeps the live line of `content` in sight, by the moves of the page, unless the person has scrolled away from it. Has
 * rows that are out of sight taken away (`showFrom`), which moves nothing that is seen. `from`: the position of the first
 * row; `count`: of rows.
 */
export function useCaptionFollow(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { from, count, showFrom }: { from: number; count: number; showFrom: (from: number) => void },
): void {
  const follower = useRef<ReturnType<typeof createFollower>>(null);
  useLayoutEffect(() => {
    if (!box.current || !content.current) return;
    const created = createFollower(box.current, content.current);
    follower.current = created;
    return created.end;
  }, [box, content]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each new row
  useLayoutEffect(() => {
    const next = follower.current?.leaveRows();
    if (next !== undefined) showFrom(next);
  }, [count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after rows were taken away
  useLayoutEffect(() => follower.current?.keepPlace(), [from]);
}

/** The line with the space that is reserved for it, or only its words where that does not fit into `height`. */
function measureLine(line: Element, height: number): DOMRect {
  const box = line.getBoundingClientRect();
  if (box.height <= height * fitting) return box;
  const words = line.ownerDocument.createRange();
  words.selectNodeContents(line);
  return words.getBoundingClientRect();
}

/** Works with the frames of the window that `page` is in: this tab may be hidden. */
function createFollower(page: HTMLElement, content: HTMLElement) {
  let isFollowing = true;
  let lastInput = Number.NEGATIVE_INFINITY;
  let hasMoved = false;
  /** The last move. */
  let glide: Animation | null = null;
  /** The first row that stays, and where it was before those above it were taken away. */
  let kept: { row: HTMLElement; top: number } | null = null;

  const isMoving = () => glide?.playState === "running";
  const listRows = () => [...content.querySelectorAll<HTMLElement>("[data-row]")];
  /** How far `content` is from the upper edge of `page`, px; a move is a part of it. */
  const getDistance = () =>
    content.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
  const restDistance = getDistance();
  /** The live line, or else the last row, and the rows before it; px from the beginning of the text. */
  function measureText() {
    const start = content.getBoundingClientRect().top - restDistance;
    const rows = listRows();
    const line = content.querySelector("[data-live-line]") ?? rows.pop();
    const { top = start, bottom = start } = line ? measureLine(line, page.clientHeight) : {};
    const rowTops = rows.slice(-2).map((row) => row.getBoundingClientRect().top - start);
    return { line: { top: top - start, bottom: bottom - start }, rowTops };
  }
  const measureVisible = () => ({
    scrollTop: page.scrollTop,
    height: page.clientHeight,
    head: 0,
    foot: 0,
  });

  function showLine(): void {
    const text = measureText();
    const visible = measureVisible();
    if (!isFollowing || isLineVisible(text.line, visible)) return;
    moveTo(getFollowTop(text, visible));
  }

  /**
   * The text is where it stays at once, and is drawn on its way there: the browser does that beside the page's thread, which
   * a smooth scroll would keep busy with each frame.
   */
  function moveTo(top: number): void {
    const before = page.scrollTop;
    const distance = getDistance() - restDistance;
    glide?.cancel();
    page.scrollTop = top;
    const isStill = !hasMoved || matchMedia("(prefers-reduced-motion: reduce)").matches;
    hasMoved = true;
    if (isStill) return;
    const px = distance + page.scrollTop - before;
    const way = { transform: [`translateY(${px}px)`, "none"] };
    glide = content.animate(way, { duration: getGlideMs(px), easing: "ease-in-out" });
  }

  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true };
  for (const kind of inputs)
    page.addEventListener(kind, ({ timeStamp }) => (lastInput = timeStamp), options);
  const handleScroll = ({ timeStamp }: Event) => {
    if (timeStamp - lastInput > inputMs) return;
    isFollowing = isLineVisible(measureText().line, measureVisible());
  };
  page.addEventListener("scroll", handleScroll, options);
  const observer = new (getWindow(page).ResizeObserver)(showLine);
  observer.observe(content);
  observer.observe(page);
  showLine();
  return {
    end() {
      listening.abort();
      observer.disconnect();
    },
    /** The position of the row with which the text is to begin; undefined while nothing may go. */
    leaveRows(): number | undefined {
      if (!isFollowing || isMoving()) return;
      const { top } = page.getBoundingClientRect();
      const rows = listRows().map((row) => ({
        position: getPosition(row),
        bottom: row.getBoundingClientRect().bottom - top,
      }));
      const next = getNextFrom(rows);
      const row = findRowAt(page, next);
      if (next === rows[0]?.position || !row) return;
      kept = { row, top: row.getBoundingClientRect().top };
      return next;
    },
    keepPlace(): void {
      if (kept) page.scrollTop += kept.row.getBoundingClientRect().top - kept.top;
      kept = null;
    },
  };
}
