// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { expandedFolders } from "#client/features/library/sidebar/expanded-folders.ts";
import { LibraryPanel } from "#client/features/library/sidebar/library-panel.tsx";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  collectToasts,
  find,
  getToastText,
  press,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

let folders: FolderList["folders"];
let lectures: LectureListItem[];
let isFailing: boolean;
let sent: unknown[];
const toasts = collectToasts(getToastText);
const onOpen = vi.fn<(id: string) => void>();

type FolderInput = { id: string; name: string; parentFolderId: string | null };
type LectureInput = { folderId?: string | null; title?: string; id: string };

beforeEach(async () => {
  await Promise.all([showLanguage("en"), sidebarMessages.load()]);
  // The list of rows measures its scroller.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  expandedFolders.set(new Set(["loose", "b"]));
  onOpen.mockClear();
  isFailing = false;
  folders = [
    folder("a", null, { name: "Art" }),
    folder("b", null, { name: "Biology", lectures: 1 }),
    folder("c", "b", { name: "Cells" }),
  ];
  lectures = [
    lecture("1", "b", { title: "Cells divide", minute: 1 }),
    lecture("2", null, { title: "Heat" }),
  ];
  const change = ({ id, ...rest }: Partial<FolderInput>) => {
    folders = folders.map((one) => (one.id === id ? { ...one, ...rest } : one));
  };
  ({ sent } = fakeServer({
    "folders.list": () =>
      isFailing
        ? new Refusal("validation_failed")
        : list(folders, lectures.filter(({ folderId }) => folderId === null).length),
    "folders.create": ({ id, name, parentFolderId }: FolderInput) => {
      folders = [...folders, folder(id, parentFolderId, { name })];
    },
    "folders.rename": change,
    "folders.move": change,
    "folders.delete": () => {
      folders = folders.filter(({ id }) => id === "a");
      return { id: "deletion", lectures: 1, folders: 2 };
    },
    "lectures.list": ({ folderId, title }: LectureInput) => ({
      items: lectures.filter(
        (one) =>
          (folderId === undefined || one.folderId === folderId) &&
          one.title.toLowerCase().includes(title?.toLowerCase() ?? ""),
      ),
      nextCursor: null,
      total: title === undefined ? null : 1,
    }),
    "lectures.item": ({ id }: LectureInput) => lectures.find((one) => one.id === id),
    "lectures.move": ({ id, folderId = null }: LectureInput) => {
      lectures = lectures.map((one) => (one.id === id ? { ...one, folderId } : one));
    },
    "lectures.deleteAll": () => {
      lectures = [];
      return { id: "deletion", lectures: 2, folders: 0 };
    },
  }));
});
afterEach(() => vi.restoreAllMocks());

async function open(openId: string | null = null) {
  const rest = { saving: false, onNew: () => {}, onClose: () => {} };
  await showLibrary(<LibraryPanel openId={openId} onOpen={onOpen} {...rest} />);
}

/** The names of the rows from top to bottom, with a dot for each level. */
const listRows = () =>
  [...document.querySelectorAll("[role=treeitem]")].map((row) => {
    const name = document.getElementById(row.getAttribute("aria-labelledby") ?? "");
    return ".".repeat(Number(row.getAttribute("aria-level")) - 1) + (name?.textContent ?? "");
  });
const expectRows = (...rows: string[]) => settle(() => expect(listRows()).toEqual(rows));
const initialRows = ["Art", "Biology", ".Cells", ".Cells divide", "Uncategorized", ".Heat"];

async function openInitial() {
  await open();
  await expectRows(...initialRows);
}

async function findRow(name: string): Promise<HTMLElement> {
  const text = await find("[role=treeitem] [id$=-name]", name);
  const row = text.closest<HTMLElement>("[role=treeitem]");
  if (!row) throw new Error(`No row ${name}`);
  return row;
}
async function focusRow(name: string) {
  const row = await findRow(name);
  await act(async () => row.focus());
}
const expectFocus = (name: string) =>
  settle(() => {
    const label = document.activeElement?.getAttribute("aria-labelledby") ?? "";
    expect(document.getElementById(label)?.textContent).toBe(name);
  });
const field = () => document.querySelector("[role=tree] input");
const expectAnnouncement = (text: string) =>
  settle(() => expect(document.querySelector("[aria-live=polite]")?.textContent).toBe(text));

describe("a new folder", () => {
  test("is not created by Escape or without a name, and the focus returns", async () => {
    await openInitial();
    await focusRow("Art");
    for (const [name, key] of [
      ["Given up", "Escape"],
      ["   ", "Enter"],
    ] as const) {
      await click("Add Folder");
      await type(field(), name);
      await press(key);
      await expectRows(...initialRows);
      await expectFocus("Art");
    }
    expect(sent).toEqual([]);
  });

  test("is created and focused by Enter, without spaces around its name", async () => {
    await openInitial();
    await click("Add Folder");
    await type(field(), "  Chemistry ");
    await press("Enter");
    await expectFocus("Chemistry");
    await settle(() => expect(toasts).toEqual(["Folder Created"]));
    expect(sent).toMatchObject([{ 0: { name: "Chemistry", parentFolderId: null } }]);
  });
});

describe("the keyboard", () => {
  test("renames, and keeps the name on Escape", async () => {
    await open();
    await focusRow("Art");
    await press("F2");
    await type(field(), "Not so");
    await press("Escape");
    await expectFocus("Art");
    await press("F2");
    await type(field(), "Drawing");
    await press("Enter");
    await expectFocus("Drawing");
    await settle(() => expect(toasts).toEqual(["Folder Updated"]));
  });

  test("cuts and pastes with announcements, and refuses a folder inside itself", async () => {
    await open();
    await focusRow("Heat");
    await press("x", { ctrlKey: true });
    await expectAnnouncement(
      "Heat is cut. Choose a folder and press Ctrl+V, or Escape to keep it where it is.",
    );
    await press("Escape");
    await expectAnnouncement("Heat stays where it is.");
    await press("x", { ctrlKey: true });
    await focusRow("Biology");
    await press("v", { ctrlKey: true });
    await expectAnnouncement("Heat moved to Biology.");
    await expectRows("Art", "Biology", ".Cells", ".Cells divide", ".Heat", "Uncategorized");
    await press("x", { ctrlKey: true });
    await focusRow("Cells");
    await press("v", { ctrlKey: true });
    await expectAnnouncement("Biology cannot be moved there.");
  });

  test("collapses, opens a lecture, and leaves the focus on a neighbour of a removed row", async () => {
    await open();
    await focusRow("Biology");
    await press("ArrowLeft");
    await expectRows("Art", "Biology", "Uncategorized", ".Heat");
    await press("End");
    await press("Enter");
    expect(onOpen).toHaveBeenCalledExactlyOnceWith("2");
    await focusRow("Biology");
    folders = folders.filter(({ id }) => id === "a");
    await act(async () => window.dispatchEvent(new Event("focus")));
    await expectFocus("Uncategorized");
  });
});

describe("the search", () => {
  const search = async (text: string) =>
    type(await find("input", "Search lectures and folders..."), text);

  test("shows matches inside their folders, and says when there are none", async () => {
    await openInitial();
    await search("CELL");
    await expectRows("Biology", ".Cells", ".Cells divide");
    await expectAnnouncement("2 folders, 1 lecture found");
    await press("ArrowDown");
    await search("nowhere");
    await waitForText("No folder or lecture has “nowhere” in its name.");
    await click("Clear the search");
    await expectRows(...initialRows);
  });
});

describe("deletion", () => {
  const confirm = async (text: string) => {
    const box = await find("[role=dialog] input[name=confirmation]", "");
    await type(box, text);
    await act(async () => box.closest("form")?.requestSubmit());
  };

  test("of a folder needs the word, in any case", async () => {
    await open();
    await focusRow("Biology");
    await press("Delete");
    await waitForText("This deletes “Biology” and 1 subfolder, with 1 lecture");
    await confirm("remove");
    await settle(() => expect(toasts).toEqual(["Please type 'delete' to confirm folder deletion"]));
    await waitForText("You must type 'delete' to confirm");
    await confirm("DELETE");
    await expectRows("Art", "Uncategorized", ".Heat");
    expect(toasts.at(-1)).toBe("1 lecture deleted");
    await expectFocus("Uncategorized");
  });

  test("of all lectures keeps the folders", async () => {
    await openInitial();
    await click("More lecture actions");
    await click("Delete All Lectures", "[role=menuitem]");
    await confirm("delete");
    await settle(() => expect(toasts).toEqual(["You must type 'delete all' to confirm"]));
    expect(sent).toEqual([]);
    await confirm("Delete All");
    await expectRows("Art", "Biology", ".Cells", "Uncategorized");
    expect(toasts.at(-1)).toBe("You can restore them from the trash for 30 days.");
  });
});

test("expands the folders of the opened lecture, and marks it", async () => {
  expandedFolders.set(new Set());
  await open("1");
  await expectRows("Art", "Biology", ".Cells", ".Cells divide", "Uncategorized");
  expect((await findRow("Cells divide")).getAttribute("aria-current")).toBe("true");
});

test("loads again after a failure", async () => {
  isFailing = true;
  await open();
  const again = await find("button", "Try again");
  await waitForText("Failed to load folders and lectures");
  expect(toasts).toEqual([]);
  isFailing = false;
  await act(async () => again.click());
  await expectRows(...initialRows);
});

test("says how to begin when there are no lectures", async () => {
  folders = [];
  lectures = [];
  await open();
  await waitForText("Start recording to create your first lecture");
});

test("gives a long Arabic name 20 levels deep its own direction and enough width", async () => {
  const name = "ف".repeat(200);
  folders = Array.from({ length: 20 }, (_, at) =>
    folder(`${at}`, at ? `${at - 1}` : null, { name }),
  );
  expandedFolders.set(new Set(folders.map(({ id }) => id)));
  await open();
  await settle(() => expect(listRows()).toContain(".".repeat(19) + name));
  const row = document.querySelector<HTMLElement>("[aria-level='20']");
  // The sidebar is 248 px wide.
  expect(Number.parseInt(row?.style.paddingLeft ?? "", 10)).toBeLessThan(140);
  const text = row?.querySelector("[id$=-name]");
  expect(text?.getAttribute("dir")).toBe("auto");
  expect(text?.className).toContain("truncate");
  expect(text?.getAttribute("title")).toBe(name);
});
