import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildTree,
  canMove,
  getPath,
  listFolders,
  listSubtree,
} from "#client/state/library/folder-tree.ts";
import type { FolderList } from "#shared/folder.ts";
import { arbitraryForest, folder, list } from "#tests/unit/client/kit/folders.ts";

const listNames = (folders: FolderList["folders"]) =>
  listFolders(buildTree(list(folders)).roots).map(({ name }) => name);

describe("buildTree", () => {
  test("contains each folder once, also those whose parent is missing", () => {
    fc.assert(
      fc.property(arbitraryForest, ([, ...folders]) => {
        const tree = buildTree(list(folders));
        const shown = listFolders(tree.roots);
        expect(shown.map(({ id }) => id).sort()).toEqual(folders.map(({ id }) => id).sort());
        expect(tree.byId.size).toBe(folders.length);
        for (const node of shown) {
          expect(node.depth).toBe(getPath(tree, node.id).length - 1);
          expect(node.lecturesBelow).toBe(
            listFolders([node]).reduce((sum, { lectures }) => sum + lectures, 0),
          );
          for (const child of node.children) expect(child.parentId).toBe(node.id);
        }
      }),
    );
  });

  test("sorts by name, numbers by value and Chinese by pinyin", () => {
    expect(
      listNames([
        folder("1", null, { name: "week 10" }),
        folder("2", null, { name: "Week 2" }),
        folder("3", null, { name: "安全" }),
        folder("4", "2", { name: "b" }),
        folder("5", "2", { name: "A" }),
        folder("6", null, { name: "重庆" }),
        folder("7", null, { name: "八卦" }),
      ]),
    ).toEqual(["安全", "八卦", "重庆", "Week 2", "A", "b", "week 10"]);
  });

  test("handles a chain of 2,000 folders", () => {
    const chain = Array.from({ length: 2_000 }, (_, index) =>
      folder(String(index), index === 0 ? null : String(index - 1), { lectures: 1 }),
    );
    const tree = buildTree(list(chain));
    expect(tree.roots[0]?.lecturesBelow).toBe(2_000);
    expect(tree.byId.get("1999")?.depth).toBe(1_999);
  });
});

describe("canMove", () => {
  test("never allows a cycle or the current parent", () => {
    fc.assert(
      fc.property(arbitraryForest, fc.nat(), fc.nat(), (folders, chosen, to) => {
        const tree = buildTree(list(folders));
        const moved = folders[chosen % folders.length]?.id ?? "";
        const targets = [null, ...folders.map(({ id }) => id)];
        const target = targets[to % targets.length] ?? null;
        const from = folders[chosen % folders.length]?.parentFolderId ?? null;
        const item = { kind: "folder", id: moved, from } as const;
        const allowed = canMove(tree, item, target);
        expect(canMove(tree, item, from)).toBe(false);
        expect(canMove(tree, item, "unknown")).toBe(false);
        expect(allowed).toBe(
          from !== target && !listSubtree(tree, moved).some(({ id }) => id === target),
        );
        if (!allowed) return;
        const after = buildTree(
          list(folders.map((one) => (one.id === moved ? { ...one, parentFolderId: target } : one))),
        );
        expect(after.byId.get(moved)?.parentId).toBe(target);
        expect(getPath(after, target).map(({ id }) => id)).not.toContain(moved);
      }),
    );
  });
});
