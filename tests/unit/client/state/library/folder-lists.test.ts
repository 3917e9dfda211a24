import { describe, expect, test } from "vitest";
import {
  applyChipChange,
  applyFolderChange,
  type ChipPages,
  listChips,
} from "#client/state/library/folder-lists.ts";
import { folder, list } from "./kit/folders.ts";

const tree = list([folder("a", null, { lectures: 2 }), folder("b", "a", { lectures: 1 })], 4);

const chips = (nextCursor: string | null = null): ChipPages => ({
  pages: [
    { folders: [{ id: "a", name: "Optics", lectures: 2 }], nextCursor, total: 7, uncategorized: 4 },
  ],
  pageParams: [null],
});

describe("the list of folders", () => {
  test("updates the counts of a moved lecture", () => {
    const moved = applyFolderChange(tree, { kind: "lectureMoved", from: null, to: "b" });
    expect(moved.folders.map(({ lectures }) => lectures)).toEqual([2, 2]);
    expect(moved).toMatchObject({ total: 7, uncategorized: 3 });
    expect(applyFolderChange(moved, { kind: "lectureMoved", from: "b", to: null })).toEqual(tree);
  });

  test("removes deleted folders", () => {
    expect(
      applyFolderChange(tree, { kind: "lectureMoved", from: null, to: undefined }),
    ).toMatchObject({
      total: 6,
      uncategorized: 3,
    });
    expect(applyFolderChange(tree, { kind: "removed", ids: ["a", "b"], lectures: 3 })).toEqual(
      list([], 4),
    );
    expect(applyFolderChange(tree, { kind: "lecturesRemoved" })).toEqual(
      list([folder("a"), folder("b", "a")]),
    );
  });

  test("adds a created folder once, and renames and moves folders", () => {
    const made = {
      ...{ kind: "created" as const, id: "c", name: "C", parentFolderId: "b" },
      createdAt: "2026-11-02T08:00:00.000Z",
    };
    const once = applyFolderChange(tree, made);
    expect(once.folders.at(-1)).toMatchObject({ id: "c", parentFolderId: "b", lectures: 0 });
    expect(applyFolderChange(once, made)).toBe(once);
    expect(applyFolderChange(tree, { kind: "renamed", id: "b", name: "B" }).folders[1]?.name).toBe(
      "B",
    );
    expect(
      applyFolderChange(tree, { kind: "moved", id: "b", parentFolderId: null }).folders[1]
        ?.parentFolderId,
    ).toBeNull();
  });
});

describe("the filter chips", () => {
  const created = {
    ...{ kind: "created" as const, id: "c", name: "Heat", parentFolderId: null },
    createdAt: "2026-11-02T08:00:00.000Z",
  };
  const idsAfter = (data: ChipPages) => data.pages.flatMap((page) => page.folders.map((f) => f.id));

  test("show a folder of two pages once, as in the later page", () => {
    const page = (names: [string, string][]) => ({
      folders: names.map(([id, name]) => ({ id, name, lectures: 0 })),
      ...{ total: 0, uncategorized: 0, nextCursor: null },
    });
    const listed = listChips([
      page([
        ["a", "A"],
        ["b", "B"],
      ]),
      page([
        ["b", "C"],
        ["d", "D"],
      ]),
    ]);
    expect(listed.map(({ name }) => name)).toEqual(["A", "C", "D"]);
  });

  test("show a new folder in its place if all are loaded and its name matches", () => {
    expect(idsAfter(applyChipChange(chips(), "", created))).toEqual(["c", "a"]);
    expect(idsAfter(applyChipChange(chips(), "opt", created))).toEqual(["a"]);
    expect(idsAfter(applyChipChange(chips("more"), "", created))).toEqual(["a"]);
  });

  test("take a new name, and disappear if it does not match", () => {
    const change = { kind: "renamed" as const, id: "a", name: "Light" };
    expect(applyChipChange(chips(), "", change).pages[0]?.folders[0]?.name).toBe("Light");
    expect(idsAfter(applyChipChange(chips(), "opt", change))).toEqual([]);
  });

  test("count lectures", () => {
    const [page] = applyChipChange(chips(), "", {
      kind: "lectureMoved",
      from: null,
      to: "a",
    }).pages;
    expect(page).toMatchObject({ folders: [{ lectures: 3 }], total: 7, uncategorized: 3 });
  });
});
