// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { foldersMax } from "#shared/limits.ts";

const load = async () => {
  vi.resetModules();
  return import("#client/features/library/sidebar/expanded-folders.ts");
};

beforeEach(() => localStorage.clear());

test("the section of loose lectures begins open; what was opened or closed is remembered", async () => {
  const first = await load();
  expect([...first.openFolders.get()]).toEqual(["loose"]);
  first.setOpen(["a", "b"], true);
  first.setOpen(["loose", "a"], false);
  const { openFolders, setOpen } = await load();
  expect([...openFolders.get()]).toEqual(["b"]);
  setOpen(["b"], false);
  expect((await load()).openFolders.get().has("loose")).toBe(false);
});

test("folders that are not there are forgotten once there are too many", async () => {
  const { keepOpen, openFolders, setOpen } = await load();
  const known = new Set(["here"]);
  setOpen(["here", "gone"], true);
  keepOpen(known);
  expect(openFolders.get().has("gone")).toBe(true);
  setOpen(
    Array.from({ length: foldersMax }, (_, index) => `gone-${index}`),
    true,
  );
  keepOpen(known);
  expect([...openFolders.get()]).toEqual(["loose", "here"]);
});
