// @vitest-environment happy-dom
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getNextChipIndex } from "#client/features/library/home/folder-chips.tsx";
import { sortNewestFirst } from "#client/features/library/recordings/newest-folders.tsx";
import { trashMessages } from "#client/features/trash/messages/index.ts";
import { getDaysLeft, getTrashItemName } from "#client/features/trash/trash-row.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { getFolderFilter, parseHomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { formatDeletedCounts } from "#client/state/library/deletion-summary.ts";
import { listChips } from "#client/state/library/folder-lists.ts";
import { folder } from "#tests/unit/client/state/library/kit/folders.ts";

const id = "11111111-2222-4333-8444-555555555555";

test("names a trash item by its name, and an untitled lecture as such", async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  expect(getTrashItemName(trashMessages.t, { kind: "folder", name: "Physics" })).toBe("Physics");
  expect(getTrashItemName(trashMessages.t, { kind: "lecture", name: "" })).toBe("Untitled Lecture");
  expect(getTrashItemName(trashMessages.t, { kind: "all_lectures", name: "" })).toBe(
    "All lectures",
  );
});

describe("search parameters of the home page", () => {
  test.each([
    [{}, {}],
    [
      { lecture: "x", row: 3, q: "heat" },
      { lecture: "x", row: 3, q: "heat" },
    ],
    [
      { lecture: "x", part: "summary" },
      { lecture: "x", part: "summary" },
    ],
    // A place is one of a lecture.
    [{ row: 3, part: "text" }, {}],
    [{ lecture: "x", row: -1, part: "speakers" }, { lecture: "x" }],
    [{ lecture: "x", row: 1.5 }, { lecture: "x" }],
    [{ lecture: "x", row: "1" }, { lecture: "x" }],
    // What the router reads as a number or a truth was typed as a word.
    [{ q: 2026 }, { q: "2026" }],
    [{ q: false }, { q: "false" }],
    [{ q: "  " }, {}],
    [{ q: { a: 1 }, lecture: ["x"] }, {}],
    [{ folder: id }, { folder: id }],
    [{ folder: "none" }, { folder: "none" }],
    [{ folder: "physics" }, {}],
  ])("%j is %j", (search, expected) => {
    expect(parseHomeSearch(search)).toEqual(expected);
  });

  test("keeps a filter through the URL", () => {
    for (const folderId of [undefined, null, id])
      expect(getFolderFilter(parseHomeSearch(toListSearch("heat", folderId)))).toBe(folderId);
    expect(toListSearch("", undefined)).toEqual({});
  });

  test("accepts any values", () => {
    fc.assert(
      fc.property(
        fc.record({
          lecture: fc.anything(),
          row: fc.anything(),
          part: fc.anything(),
          q: fc.anything(),
          folder: fc.anything(),
        }),
        (search) => {
          const parsed = parseHomeSearch(search);
          expect(parseHomeSearch({ ...parsed })).toEqual(parsed);
        },
      ),
    );
  });
});

describe("filter chips", () => {
  test("shows a folder of two pages once, as in the later page", () => {
    const page = (names: [string, string][]) => ({
      folders: names.map(([of, name]) => ({ id: of, name, lectures: 0 })),
      ...{ total: 0, uncategorized: 0, nextCursor: null },
    });
    const chips = listChips([
      page([
        ["a", "A"],
        ["b", "B"],
      ]),
      page([
        ["b", "C"],
        ["d", "D"],
      ]),
    ]);
    expect(chips.map(({ name }) => name)).toEqual(["A", "C", "D"]);
  });

  test("keeps arrow keys inside the row", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.nat(49),
        fc.constantFrom("ArrowLeft", "ArrowRight", "Home", "End", "a"),
        (count, at, key) => {
          const next = getNextChipIndex(key, Math.min(at, count - 1), count);
          if (key === "a") expect(next).toBeNull();
          else expect(next).toSatisfy((index: number) => index >= 0 && index < count);
        },
      ),
    );
    expect(getNextChipIndex("ArrowRight", 0, 3)).toBe(1);
    expect(getNextChipIndex("ArrowLeft", 2, 3)).toBe(1);
  });
});

test("sorts newer folders first and breaks ties by id", () => {
  const at = (day: number) => ({ createdAt: `2026-11-0${day}T08:00:00.000Z` });
  const all = [folder("a", null, at(1)), folder("c", null, at(2)), folder("b", null, at(2))];
  expect(sortNewestFirst(all).map((one) => one.id)).toEqual(["c", "b", "a"]);
});

test.each([
  ["2026-12-20T08:00:00.000Z", 30],
  ["2026-11-20T08:00:01.000Z", 1],
  ["2026-11-20T08:00:00.000Z", 0],
  ["2026-11-19T08:00:00.000Z", 0],
])("shows for an expiry at %s that %i days are left", (expiresAt, days) => {
  expect(getDaysLeft(expiresAt, Date.parse("2026-11-20T08:00:00.000Z"))).toBe(days);
});

test("formats the counts of a deletion", async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  expect(formatDeletedCounts(trashMessages.t, { lectures: 1, folders: 0 })).toBe("1 lecture");
  expect(formatDeletedCounts(trashMessages.t, { lectures: 0, folders: 2 })).toBe("2 folders");
  expect(formatDeletedCounts(trashMessages.t, { lectures: 12, folders: 1 })).toBe(
    "12 lectures, 1 folder",
  );
  expect(formatDeletedCounts(trashMessages.t, { lectures: 0, folders: 0 })).toBe("0 lectures");
});
