// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import MoveDialog from "#client/features/library/move-dialog.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import type { MovableItem } from "#client/state/library/folder-tree.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { find, press, settle, type, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const onMove = vi.fn<(item: MovableItem, folderId: string | null) => void>();
beforeEach(async () => {
  await Promise.all([showLanguage("en"), libraryMessages.load()]);
  onMove.mockClear();
  // The list measures its scroller.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  fakeServer({
    "folders.list": () =>
      list([folder("a", null, { name: "Art" }), folder("b", "a", { name: "Baroque" })]),
  });
});
afterEach(() => vi.restoreAllMocks());

const listOptions = () =>
  [...document.querySelectorAll("[role=option]")].map((option) => option.textContent);

test.each<[MovableItem["kind"], string | null, string[]]>([
  ["lecture", "b", ["Uncategorized", "Art"]],
  ["lecture", null, ["Art", "Baroque"]],
  ["folder", "a", ["Top level"]],
])("offers a %s in %s the other places", async (kind, from, places) => {
  const item = { kind, id: kind === "folder" ? "b" : "heat", name: "Heat", from };
  await showLibrary(<MoveDialog item={item} onMove={onMove} onClose={() => {}} />);
  await settle(() => expect(listOptions()).toEqual(places));
});

test("is used by the keyboard: typing searches, arrows choose, Enter moves", async () => {
  const item = { kind: "lecture", id: "heat", name: "Heat", from: null } as const;
  await showLibrary(<MoveDialog item={item} onMove={onMove} onClose={() => {}} />);
  const field = await find("[role=combobox]", "Search folders…");
  await settle(() => expect(document.activeElement).toBe(field));
  await press("ArrowDown");
  await press("ArrowDown");
  expect(document.querySelector("[aria-selected=true]")?.textContent).toBe("Baroque");
  await type(field, "zzz");
  await waitForText("No folder to move it to");
  await type(field, "ba");
  expect(listOptions()).toEqual(["BaroqueArt"]);
  await press("Enter", { isComposing: true });
  expect(onMove).not.toHaveBeenCalled();
  await act(async () => {});
  await press("Enter");
  expect(onMove).toHaveBeenCalledExactlyOnceWith(item, "b");
});
