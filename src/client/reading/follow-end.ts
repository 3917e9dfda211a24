import { findReadRow } from "./use-rows.ts";

/**
 * Keeps the end of a text that grows at its place in the window: what is added moves the text above it up, by as much as it
 * needs, in one short move. Nothing moves down. Whoever scrolls up lets go of the end, and then what is being read stays;
 * whoever scrolls down to the end takes hold of it again. Lengths in px.
 */

/** So far above the end it is not followed any more. */
const letGoPx = 24;
/** A scroll up by more than this is a person's; a smaller one may be the browser's, because the text has become shorter. */
const jumpPx = 200;
/** Such a one is a person's if there was input this recently, ms. */
const inputMs = 600;
/** Positions are rounded. */
const roundingPx = 2;
const moveMs = 160;
/** Empty space below the text, as a part of the window's height, is no more than this. */
const spaceMax = 0.35;

/** What moves when text is added. */
const parts = "[data-row], [data-live-line], [data-gap]";
/** What stands above it moves with it. */
const movingParts = `[data-opening], ${parts}`;
/** More of them are never in the window at once. */
const partsMax = 40;

const inputs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The window in which `element` is shown: the page's, or that of the captions. Each has its own classes and observers. */
const getWindow = (element: Element): Window & typeof globalThis =>
  element.ownerDocument.defaultView ?? window;

/**
 * The space below a text that has `space` below it. `downPx`: how far the part of it that goes down most would go without
 * more; below 0: all of it goes up. With more space than `maxPx` it goes down.
 */
export function getSpaceBelow(space: number, downPx: number, maxPx: number): number {
  const next = Math.max(0, space + downPx);
  return next > maxPx ? 0 : next;
}

interface Elements {
  /** What scrolls. */
  box: HTMLElement;
  /** The rows and the live line. */
  text: HTMLElement;
  /** Below the text, and otherwise empty. */
  space: HTMLElement;
}

export interface Follower {
  readonly isFollowing: boolean;
  /** Shows the end and follows it. */
  follow(): void;
  /** What is being read stays, whatever is added. */
  letGo(): void;
  end(): void;
}

export function followEnd(
  { box, text, space }: Elements,
  onChange: (isFollowing: boolean) => void = () => {},
): Follower {
  const view = getWindow(box);
  let isFollowing = true;
  let lastTop = 0;
  let lastInput = Number.NEGATIVE_INFINITY;
  let spacePx = 0;
  /** Not read before the first layout: that would force one in the middle of the first render. */
  let lastY: number | null = null;
  let wasOverlay = false;
  /** Width and size of the text, when it was last laid out. */
  let measure: string | null = null;
  /** Where the last parts were, from the top of `box`. */
  let places = new Map<Element, number>();
  let moves: Animation[] = [];
  const observed = new WeakSet<Element>();
  /** The row that is being read, its distance from the top of `box`, and where `box` was scrolled to. */
  let readRow: { row: HTMLElement; distance: number; scrollTop: number } | null = null;

  const getMeasure = () => `${text.clientWidth} ${view.getComputedStyle(text).fontSize}`;
  const getDistance = (part: Element) =>
    part.getBoundingClientRect().top - box.getBoundingClientRect().top;
  const listParts = () => [...text.querySelectorAll(movingParts)].slice(-partsMax);
  const measureParts = () => new Map(listParts().map((part) => [part, getDistance(part)]));
  const getRestPx = () => box.scrollHeight - box.clientHeight - box.scrollTop;

  function setFollowing(next: boolean): void {
    if (isFollowing === next) return;
    isFollowing = next;
    onChange(next);
  }

  function showEnd(): void {
    box.scrollTop = box.scrollHeight;
    lastTop = box.scrollTop;
  }

  function setSpace(px: number): void {
    if (px === spacePx) return;
    spacePx = px;
    space.style.height = `${px}px`;
  }

  /** `boxDownPx`: how far the top of `box` has gone down in the window. Moves the text up to its end, and draws it on its way there: the browser does that beside the page's thread. */
  function moveToEnd(isMoving: boolean, boxDownPx: number): void {
    const offsets = endMoves();
    const before = places;
    showEnd();
    const downs = [...before].flatMap(([part, distance]) =>
      part.isConnected ? getDistance(part) - distance + boxDownPx : [],
    );
    const hasPlaces = isMoving && downs.length > 0;
    setSpace(
      hasPlaces ? getSpaceBelow(spacePx, Math.max(...downs), spaceMax * box.clientHeight) : 0,
    );
    showEnd();
    places = measureParts();
    if (!isMoving || view.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [part, distance] of places) {
      const known = before.get(part);
      const movedPx = known === undefined ? 0 : known - distance - boxDownPx;
      const from = movedPx + (offsets.get(part) ?? 0);
      if (from < 1 || from > box.clientHeight / 2) continue;
      // Out of the window before and now.
      if (distance + from + part.clientHeight < 0) continue;
      const way = { transform: [`translateY(${from}px)`, "none"] };
      moves.push(part.animate(way, { duration: moveMs, easing: "ease-out" }));
    }
  }

  /** Ends the moves. Returns how far each part still was from its place. */
  function endMoves(): Map<Element, number> {
    const running = moves.filter(({ playState }) => playState === "running");
    moves = [];
    if (running.length === 0) return new Map();
    const drawn = measureParts();
    for (const move of running) move.cancel();
    return new Map([...drawn].map(([part, distance]) => [part, distance - getDistance(part)]));
  }

  const rememberRow = () => {
    const row = findReadRow(box);
    readRow = row && { row, distance: getDistance(row), scrollTop: box.scrollTop };
  };
  const restoreRow = () => {
    // Where the page was scrolled meanwhile, this is the new place.
    const isThere = readRow?.row.isConnected && readRow.scrollTop === box.scrollTop;
    if (readRow === null || !isThere) return rememberRow();
    box.scrollTop += getDistance(readRow.row) - readRow.distance;
    // Not measured again: the browser rounds the position, and the error would grow.
    readRow = { ...readRow, scrollTop: box.scrollTop };
  };

  const handleScroll = ({ timeStamp }: Event) => {
    // By the browser, because the text has become shorter: its position is restored after this event.
    if (measure !== null && measure !== getMeasure()) return;
    const up = lastTop - box.scrollTop;
    lastTop = box.scrollTop;
    const isByPerson = timeStamp - lastInput < inputMs;
    if (isFollowing && up > 0 && (isByPerson || up > jumpPx) && getRestPx() > letGoPx)
      setFollowing(false);
    else if (!isFollowing && up < 0 && isByPerson && getRestPx() <= roundingPx) {
      setFollowing(true);
      places = measureParts();
    }
    if (!isFollowing && readRow?.scrollTop !== box.scrollTop) rememberRow();
  };
  const observer = new view.ResizeObserver(() => {
    observeParts();
    const y = box.getBoundingClientRect().top;
    const isOverlay = box.closest("[data-overlay]") !== null;
    const lastMeasure = measure;
    measure = getMeasure();
    // The text stays where it is in the window when bars above `box` come or go. At the top the first row stays in sight.
    const downPx = lastY !== null && isOverlay === wasOverlay ? y - lastY : 0;
    // An empty page is read from its beginning.
    if (isFollowing) {
      if (text.querySelector(parts)) moveToEnd(measure === lastMeasure, downPx);
    } else if (downPx !== 0 && box.scrollTop > 0) box.scrollTop += downPx;
    else restoreRow();
    lastY = y;
    wasOverlay = isOverlay;
    lastTop = box.scrollTop;
  });
  /** A row that grows by as much as another one shrinks leaves the height of the text as it was. */
  function observeParts(): void {
    for (const part of text.querySelectorAll(parts)) {
      if (observed.has(part)) continue;
      observed.add(part);
      observer.observe(part);
    }
  }
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true };
  for (const kind of inputs)
    box.addEventListener(kind, ({ timeStamp }) => (lastInput = timeStamp), options);
  box.addEventListener("scroll", handleScroll, options);
  observer.observe(text);
  observer.observe(box);
  return {
    get isFollowing() {
      return isFollowing;
    },
    follow() {
      setFollowing(true);
      places = new Map();
      if (text.querySelector(parts)) moveToEnd(false, 0);
    },
    letGo() {
      setFollowing(false);
      rememberRow();
    },
    end() {
      listening.abort();
      observer.disconnect();
    },
  };
}
