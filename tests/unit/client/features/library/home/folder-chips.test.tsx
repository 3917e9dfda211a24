// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { FolderChips } from "#client/features/library/home/folder-chips.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { listChips, useCachedFolders } from "#client/state/library/use-folders.ts";
import { api, DataProvider, queryClient } from "#client/state/queries.tsx";
import type { FolderPage } from "#shared/folder.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { press, settle, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const chips: FolderPage = {
  folders: [{ id: "a", name: "Algebra", lectures: 2 }],
  nextCursor: null,
  total: 3,
  uncategorized: 1,
};

beforeEach(async () => {
  await Promise.all([showLanguage("en"), libraryMessages.load()]);
  queryClient.clear();
});

const showChips = (chosen: string | null | undefined, onChoose = vi.fn()) =>
  show(
    <DataProvider>
      <FolderChips chosen={chosen} onChoose={onChoose} />
    </DataProvider>,
  );
const listButtons = () => [...document.body.querySelectorAll("button")];

test.each([
  ["all", undefined, [true, false, false]],
  ["those in no folder", null, [false, true, false]],
  ["a folder", "a", [false, false, true]],
  ["a folder that is not known yet", "b", [true, false, false]],
])("has one chip in the tab order: %s", async (_name, chosen, expected) => {
  fakeServer({ "folders.chips": () => chips, "folders.list": () => new Promise(() => {}) });
  await showChips(chosen);
  await waitFor(() => {
    expect(listButtons().map(({ tabIndex }) => tabIndex === 0)).toEqual(expected);
  });
});

test("moves the focus by keys inside the row", async () => {
  fakeServer({ "folders.chips": () => chips });
  await showChips(null);
  await waitFor(() => expect(listButtons()).toHaveLength(3));
  listButtons()[1]?.focus();
  for (const [key, index] of [
    ["ArrowRight", 2],
    ["ArrowRight", 2],
    ["ArrowLeft", 1],
    ["a", 1],
    ["Home", 0],
    ["ArrowLeft", 0],
    ["End", 2],
  ] as const) {
    await press(key);
    expect(document.activeElement === listButtons()[index]).toBe(true);
  }
});

test.each([
  ["leaves the filter of a deleted folder", "gone", [[undefined, true]]],
  ["keeps that of a folder on a later page", "b", []],
  ["keeps that of a folder that is shown", "a", []],
])("%s", async (_name, chosen, calls) => {
  const { calls: requests } = fakeServer({
    "folders.chips": () => chips,
    "folders.list": () => list([folder("a"), folder("b")]),
  });
  const onChoose = vi.fn();
  await showChips(chosen, onChoose);
  await settle(() => {
    expect(listButtons()).toHaveLength(chosen === "b" ? 4 : 3);
    expect(onChoose.mock.calls).toEqual(calls);
  });
  // The whole tree is read only to look for a folder that no loaded page has.
  expect(requests.includes("folders.list")).toBe(chosen !== "a");
});

test("prefers folder names of the chips to those of an older tree", async () => {
  fakeServer({
    "folders.chips": () => chips,
    "folders.list": () => list([folder("a", null, { lectures: 7 }), folder("b")]),
  });
  function CachedFolders() {
    api.folders.list.useQuery();
    api.folders.chips.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
    const { getName, getLectureCount } = useCachedFolders();
    return `${getName("a")} ${getLectureCount("a")}, ${getName("b")} ${getLectureCount("b")}, ${getLectureCount(undefined)}`;
  }
  await show(<DataProvider>{<CachedFolders />}</DataProvider>);
  await waitFor(() => expect(document.body.textContent).toBe("Algebra 2, Folder b 0, 3"));
});

test("shows a folder of two pages once, as in the later page", () => {
  const page = (...names: [string, string][]): FolderPage => ({
    folders: names.map(([id, name]) => ({ id, name, lectures: 0 })),
    total: 0,
    uncategorized: 0,
    nextCursor: null,
  });
  const listed = listChips([page(["a", "A"], ["b", "B"]), page(["b", "C"], ["d", "D"])]);
  expect(listed.map(({ name }) => name)).toEqual(["A", "C", "D"]);
});
