// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { sortNewestFirst } from "#client/features/library/recordings/newest-folders.tsx";
import { folder } from "#tests/unit/client/kit/folders.ts";

test("sorts newer folders first and breaks ties by id", () => {
  const at = (day: number) => ({ createdAt: `2026-11-0${day}T08:00:00.000Z` });
  const all = [folder("a", null, at(1)), folder("c", null, at(2)), folder("b", null, at(2))];
  expect(sortNewestFirst(all).map((one) => one.id)).toEqual(["c", "b", "a"]);
});
