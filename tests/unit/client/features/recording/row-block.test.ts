import { expect, test } from "vitest";
import { beforeNext, opening } from "#client/features/recording/row-block.tsx";

const before = beforeNext(undefined);

test("the first row shows its time, and so does the live line", () => {
  expect(opening({ speaker: null, startMs: 0, endMs: 900 }, before).time).toBe("0:00");
  expect(opening({ speaker: null, startMs: 0 }, before).time).toBe("0:00");
});

test("a row from a file without times shows none, even where somebody else begins to speak", () => {
  const row = { speaker: "2", startMs: 0, endMs: 0 };
  expect(opening(row, before)).toMatchObject({ speaker: "2", time: null });
});
