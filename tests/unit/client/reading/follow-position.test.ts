import { describe, expect, it } from "vitest";
import { getFollowTop, isLineVisible } from "#client/reading/follow-position.ts";

const page = { scrollTop: 1_000, height: 800 };

describe("the page", () => {
  it("stays while the live line ends above 85 % of it", () => {
    expect(getFollowTop({ top: 1_650, bottom: 1_680 }, page)).toBeNull();
    expect(getFollowTop({ top: 20, bottom: 50 }, { ...page, scrollTop: 0 })).toBeNull();
  });

  it("moves once so that the middle of the live line is at 35 %", () => {
    const line = { top: 1_650, bottom: 1_690 };
    expect(getFollowTop(line, page)).toBe(1_670 - 280);
    expect(getFollowTop(line, { ...page, scrollTop: 1_670 - 280 })).toBeNull();
  });

  it("shows the end of a line that is higher than the room for it", () => {
    const line = { top: 1_100, bottom: 1_900 };
    const top = getFollowTop(line, page) ?? 0;
    expect(top).toBe(1_900 - 520);
    expect(isLineVisible(line, { ...page, scrollTop: top })).toBe(true);
  });

  it("returns to a line that is above it", () => {
    expect(getFollowTop({ top: 100, bottom: 130 }, page)).toBe(0);
    expect(getFollowTop({ top: 600, bottom: 630 }, page)).toBe(335);
  });

  it("moves before the recording controls cover the line on a low screen", () => {
    const low = { scrollTop: 0, height: 300 };
    expect(getFollowTop({ top: 162, bottom: 184 }, low)).toBeNull();
    expect(getFollowTop({ top: 162, bottom: 185 }, low)).toBe(69);
  });
});
