import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getFolderFilter, parseHomeSearch, toListSearch } from "#client/lib/home-search.ts";

const id = "11111111-2222-4333-8444-555555555555";

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
