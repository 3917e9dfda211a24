/**
 * When the page moves on while text is added at its end, how far and how fast: about one sentence on a phone, so that
 * the eye finds again what it has read. Lengths in px, positions from the beginning of the page's content.
 */

/** What is followed. */
export interface FollowedText {
  /** The live line, or the end of the text. */
  line: { top: number; bottom: number };
  /** Where the two rows before it begin, as far as there are any. */
  rowTops: readonly number[];
}

/** What can be seen of the content. */
export interface VisiblePart {
  scrollTop: number;
  height: number;
  /** What the page's head covers at the upper edge. */
  head: number;
  /** What controls cover at the lower edge. Missing: those of a recording, and the text that fades out above them. */
  foot?: number;
}

/** Text fills the page down to here, as a part of its height. */
const fillTo = 0.85;
const controlsPx = 116;
/** The shortest and the longest move, as parts of the page's height. A longer one follows only text that grew by more. */
const shortest = 0.1;
const longest = 0.25;
/** The highest speed, px/s, of a move that is not from afar: the eye follows that. */
const speedMax = 600;
const glideMs = { min: 160, max: 600 };

const getLowest = ({ height, foot = controlsPx }: VisiblePart) =>
  Math.min(height * fillTo, height - foot);

/** Whether the end of `line` can be read. */
export const isLineVisible = ({ bottom }: FollowedText["line"], visible: VisiblePart) =>
  bottom >= visible.scrollTop + visible.head && bottom <= visible.scrollTop + getLowest(visible);

/**
 * The position to scroll to in order to show `line`, which is not visible. Both rows before it stay in sight, or one of
 * them, or the line's beginning, as far as there is place for it after the shortest move.
 */
export function getFollowTop({ line, rowTops }: FollowedText, visible: VisiblePart): number {
  const { scrollTop, height, head } = visible;
  /** With the end of the line at the lower edge. */
  const endTop = line.bottom - getLowest(visible);
  const isNear = endTop >= scrollTop && endTop <= scrollTop + height / 2;
  const from = isNear ? scrollTop : endTop;
  const min = Math.max(endTop, from + shortest * height);
  const max = Math.max(endTop, from + longest * height);
  const keptTop = [...rowTops, line.top]
    .sort((a, b) => a - b)
    .map((top) => top - head)
    .find((top) => top >= min);
  return Math.max(0, Math.ceil(Math.min(max, keptTop ?? min)));
}

/** How long a move of `px` takes, ms. A move from afar is faster. */
export const getGlideMs = (px: number): number =>
  Math.min(glideMs.max, Math.max(glideMs.min, (peak * Math.abs(px) * 1_000) / speedMax));

/** Highest speed of a glide, in times of its mean speed. */
const peak = 1.5;

/** Which part of its way a glide has made after `part` of its time: it begins and ends slowly. */
export const getGlidePart = (part: number): number => {
  const time = Math.min(1, Math.max(0, part));
  return time * time * (3 - 2 * time);
};
