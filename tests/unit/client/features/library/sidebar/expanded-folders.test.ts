// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { foldersMax } from "#shared/limits.ts";

const load = async () => {
  vi.resetModules();
  return import("#client/features/library/sidebar/expanded-folders.ts");
};

beforeEach(() => localStorage.clear());

test("starts with the uncategorized section expanded, and stores changes", async () => {
  const first = await load();
  expect([...first.expandedFolders.get()]).toEqual(["loose"]);
  first.setExpanded(["a", "b"], true);
  first.setExpanded(["loose", "a"], false);
  const { expandedFolders, setExpanded } = await load();
  expect([...expandedFolders.get()]).toEqual(["b"]);
  setExpanded(["b"], false);
  expect((await load()).expandedFolders.get().has("loose")).toBe(false);
});

test("forgets missing folders once there are too many", async () => {
  const { pruneExpanded, expandedFolders, setExpanded } = await load();
  const known = new Set(["here"]);
  setExpanded(["here", "gone"], true);
  pruneExpanded(known);
  expect(expandedFolders.get().has("gone")).toBe(true);
  setExpanded(
    Array.from({ length: foldersMax }, (_, index) => `gone-${index}`),
    true,
  );
  pruneExpanded(known);
  expect([...expandedFolders.get()]).toEqual(["loose", "here"]);
});
