import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildTreeRows,
  isGroup,
  isItem,
  type LoadedLectures,
  type Row,
  uncategorizedId,
} from "#client/features/library/sidebar/tree-rows.ts";
import { buildTree } from "#client/state/library/folder-tree.ts";
import { arbitraryForest, folder, lecture, list } from "#tests/unit/client/kit/folders.ts";

const none: LoadedLectures = { items: [], remaining: "none" };

/** The name of each row, or else its kind, after a dot for each level. */
const formatRows = (rows: readonly Row[]) =>
  rows.map((row) => `${".".repeat(row.level - 1)}${(isItem(row) && row.item.name) || row.kind}`);

const tree = buildTree(
  list(
    [
      folder("a", null, { name: "Physics", lectures: 1 }),
      folder("b", "a", { name: "Optics", lectures: 2 }),
      folder("c", null, { name: "Empty" }),
    ],
    1,
  ),
);

const view = {
  tree,
  expanded: new Set([uncategorizedId]) as ReadonlySet<string>,
  getLoaded: () => null as LoadedLectures | null,
  draft: null as { parentId: string | null } | null,
  search: null,
  language: "en" as const,
};

describe("buildTreeRows", () => {
  test("shows folders alone, of which those with subfolders can be expanded", () => {
    const folders = { ...view, foldersOnly: true, expanded: new Set(["a", "b", uncategorizedId]) };
    const rows = buildTreeRows(folders);
    expect(formatRows(rows)).toEqual(["Empty", "Physics", ".Optics", "uncategorized"]);
    const groups = rows.filter(isGroup);
    expect(groups.map(({ canExpand }) => canExpand)).toEqual([false, true, false, false]);
    // The field of its first subfolder.
    expect(formatRows(buildTreeRows({ ...folders, draft: { parentId: "b" } }))).toContain(
      "..draft",
    );
  });

  test("shows the contents of expanded folders, subfolders first", () => {
    expect(formatRows(buildTreeRows(view))).toEqual(["Empty", "Physics", "uncategorized", ".more"]);
    const rows = buildTreeRows({
      ...view,
      expanded: new Set(["a", "b", "c"]),
      getLoaded: (id) =>
        id === "b"
          ? { items: [lecture("1", "b", { title: "Lenses" })], remaining: "more" }
          : id === "a"
            ? { items: [lecture("2", "a", { title: "Heat" })], remaining: "none" }
            : null,
    });
    expect(formatRows(rows)).toEqual([
      "Empty",
      ".empty",
      "Physics",
      ".Optics",
      "..Lenses",
      "..more",
      ".Heat",
      "uncategorized",
    ]);
    const positions = rows.map(({ position, size }) => [position, size]);
    // Of the two lectures in Optics one is loaded; Physics holds a folder and a lecture.
    expect(positions[4]).toEqual([1, 2]);
    expect(positions[3]).toEqual([1, 2]);
    expect(positions[6]).toEqual([2, 2]);
    expect(positions.at(-1)).toEqual([3, 3]);
  });

  test.each([
    ["fewer than are loaded", 0, "none", [3, 3]],
    ["fewer, and not all are loaded", 0, "more", [3, 4]],
    ["more than there are", 9, "none", [3, 3]],
    ["those that are not loaded too", 9, "more", [3, 10]],
  ] as const)(
    "counts from 1 to the size where a folder's count says %s",
    (...[, count, remaining, last]) => {
      const stale = buildTree(
        list([folder("a", null, { lectures: count }), folder("b", "a", { name: "Optics" })], 0),
      );
      const items = [lecture("1", "a"), lecture("2", "a")];
      const getLoaded = (id: string | null) => (id === "a" ? { items, remaining } : null);
      const rows = buildTreeRows({ ...view, tree: stale, expanded: new Set(["a"]), getLoaded });
      const inside = rows.filter((row) => isItem(row) && row.level === 2);
      expect(inside.map(({ position }) => position)).toEqual([1, 2, 3]);
      expect([inside.at(-1)?.position, inside.at(-1)?.size]).toEqual(last);
    },
  );

  test("shows the draft of a new folder in its parent", () => {
    expect(formatRows(buildTreeRows({ ...view, draft: { parentId: null } }))[0]).toBe("draft");
    const open = new Set(["c"]);
    expect(
      formatRows(buildTreeRows({ ...view, expanded: open, draft: { parentId: "c" } })),
    ).toEqual(["Empty", ".draft", "Physics", "uncategorized"]);
  });

  test("calls a draft without words by its date, in the reader's language", () => {
    const createdAt = new Date(2026, 10, 20, 9, 2).toISOString();
    const draft = lecture("1", "c", {
      title: "Nov 20",
      titleSource: "date",
      excerpt: "",
      createdAt,
    });
    const rows = buildTreeRows({
      ...view,
      language: "zh",
      expanded: new Set(["c"]),
      getLoaded: (id) => (id === "c" ? { items: [draft], remaining: "none" } : null),
    });
    const names = rows.flatMap((row) => (row.kind === "lecture" ? [row.item.name] : []));
    expect(names).toEqual(["2026年11月20日 09:02"]);
  });

  test("shows every folder once, inside its parent, when all are expanded", () => {
    fc.assert(
      fc.property(arbitraryForest, (folders) => {
        const forest = buildTree(list(folders));
        const open = new Set(folders.map(({ id }) => id));
        const rows = buildTreeRows({
          ...view,
          tree: forest,
          expanded: open,
          getLoaded: () => none,
        });
        const folderRows = rows.flatMap((row) => (row.kind === "folder" ? [row] : []));
        expect(folderRows.map(({ node }) => node.id).sort()).toEqual(
          folders.map(({ id }) => id).sort(),
        );
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        for (const row of folderRows) {
          const at = rows.indexOf(row);
          const holder = rows.slice(0, at).findLast(({ level }) => level < row.level);
          expect(holder?.kind === "folder" ? holder.node.id : null).toBe(row.node.parentId);
        }
      }),
    );
  });
});

describe("buildTreeRows in a search", () => {
  const search = (query: string, found: LoadedLectures, toggled: string[] = []) =>
    buildTreeRows({ ...view, search: { query, found }, expanded: new Set(toggled) });
  const createList = (...items: LoadedLectures["items"][number][]): LoadedLectures => ({
    items,
    remaining: "none",
  });

  test("shows matching folders with their ancestors, and lectures in their folders", () => {
    expect(formatRows(search("OPT", none))).toEqual(["Physics", ".Optics"]);
    const found = createList(
      lecture("1", "b", { title: "Options" }),
      lecture("2", null, { title: "Opt" }),
    );
    expect(formatRows(search("opt", found))).toEqual([
      "Physics",
      ".Optics",
      "..Options",
      "uncategorized",
      ".Opt",
    ]);
    expect(formatRows(search("nothing", none))).toEqual([]);
    expect(formatRows(search("opt", { items: [], remaining: "loading" }))).toEqual([
      "Physics",
      ".Optics",
      "more",
    ]);
  });

  test("collapses folders, and shows all contents of an expanded matching folder", () => {
    expect(formatRows(search("opt", createList(lecture("1", "b")), ["a"]))).toEqual(["Physics"]);
    expect(formatRows(search("phys", none))).toEqual(["Physics"]);
    expect(formatRows(search("phys", none, ["a"]))).toEqual(["Physics", ".Optics", ".more"]);
  });

  test("keeps a lecture whose folder is unknown", () => {
    expect(formatRows(search("x", createList(lecture("1", "gone", { title: "x" }))))).toEqual([
      "uncategorized",
      ".x",
    ]);
  });
});
