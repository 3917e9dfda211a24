/** Where the live line is, and what of the page is visible; px from the beginning of the page's content. */
interface FollowedLine {
  top: number;
  bottom: number;
}

interface VisiblePart {
  scrollTop: number;
  height: number;
}

/** Text fills the page down to here, as a part of its height; then the page moves once … */
const fillTo = 0.85;
/** … so that the middle of the live line is here. */
const lineAt = 0.35;
/** A line that is too high for that ends here. */
const highLineEndsAt = 1 - lineAt;
/** The recording controls, and the text that fades out above them, at the lower edge, px. */
const controlsPx = 116;

const getLowest = (height: number) => Math.min(height * fillTo, height - controlsPx);

/** Whether the end of `line` can be read. */
export const isLineVisible = ({ bottom }: FollowedLine, { scrollTop, height }: VisiblePart) =>
  bottom >= scrollTop && bottom <= scrollTop + getLowest(height);

/** The position to scroll to in order to follow `line`; null while the page stays as it is. */
export function getFollowTop(line: FollowedLine, visible: VisiblePart): number | null {
  if (isLineVisible(line, visible)) return null;
  const { height } = visible;
  const middle = (line.top + line.bottom) / 2;
  const top = Math.max(middle - lineAt * height, line.bottom - highLineEndsAt * height);
  return Math.max(0, Math.round(top));
}
