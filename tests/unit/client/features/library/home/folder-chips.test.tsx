// @vitest-environment happy-dom
import fc from "fast-check";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { FolderChips, getNextChipIndex } from "#client/features/library/home/folder-chips.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { listChips, useCachedFolders } from "#client/state/library/use-folders.ts";
import { api, DataProvider, queryClient } from "#client/state/queries.tsx";
import type { FolderPage } from "#shared/folder.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
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

/** For each chip, whether it is in the tab order. */
const listTabStops = () =>
  [...document.body.querySelectorAll("button")].map(({ tabIndex }) => tabIndex === 0);

test.each([
  ["all", undefined, [true, false, false]],
  ["those in no folder", null, [false, true, false]],
  ["a folder", "a", [false, false, true]],
  ["a folder that is not known yet", "b", [true, false, false]],
])("has one chip in the tab order: %s", async (_name, chosen, expected) => {
  fakeServer({ "folders.chips": () => chips, "folders.list": () => new Promise(() => {}) });
  await show(
    <DataProvider>
      <FolderChips chosen={chosen} onChoose={() => {}} />
    </DataProvider>,
  );
  await waitFor(() => expect(listTabStops()).toEqual(expected));
});

test.each([
  ["leaves the filter of a deleted folder", "gone", [[undefined]]],
  ["keeps that of a folder on a later page", "b", []],
  ["keeps that of a folder that is shown", "a", []],
])("%s", async (_name, chosen, calls) => {
  const { calls: requests } = fakeServer({
    "folders.chips": () => chips,
    "folders.list": () => list([folder("a"), folder("b")]),
  });
  const onChoose = vi.fn();
  await show(
    <DataProvider>
      <FolderChips chosen={chosen} onChoose={onChoose} />
    </DataProvider>,
  );
  await waitFor(async () => {
    await act(async () => {});
    expect(document.body.querySelectorAll("button")).toHaveLength(chosen === "b" ? 4 : 3);
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

test("keeps arrow keys inside the row", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.nat(49),
      fc.constantFrom("ArrowLeft", "ArrowRight", "Home", "End", "a"),
      (count, index, key) => {
        const next = getNextChipIndex(key, Math.min(index, count - 1), count);
        if (key === "a") expect(next).toBeNull();
        else expect(next).toSatisfy((value: number) => value >= 0 && value < count);
      },
    ),
  );
  expect(getNextChipIndex("ArrowRight", 0, 3)).toBe(1);
  expect(getNextChipIndex("ArrowLeft", 2, 3)).toBe(1);
});

test("shows a folder of two pages once, as in the later page", () => {
  const page = (...names: [string, string][]): FolderPage => ({
    folders: names.map(([id, name]) => ({ id, name, lectures: 0 })),
    ...{ total: 0, uncategorized: 0, nextCursor: null },
  });
  const listed = listChips([page(["a", "A"], ["b", "B"]), page(["b", "C"], ["d", "D"])]);
  expect(listed.map(({ name }) => name)).toEqual(["A", "C", "D"]);
});
