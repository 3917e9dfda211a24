// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import LectureLibrary from "#client/features/library/home/lecture-library.tsx";
import { RecordLink } from "#client/features/library/record-link.tsx";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { recordingStatus } from "#client/state/recording.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  collectToasts,
  find,
  getToastText,
  hide,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

const heat = lecture("heat", "a", {
  title: "Heat",
  usedTime: 20,
  minute: 2,
  excerpt: `Heat flows. ${"So it goes on and on. ".repeat(10)}`,
  translatedExcerpt: "热会流动。",
});
const bare = lecture("bare", null, { title: "Bare", minute: 1 });

type LectureInput = { id: string; folderId?: string | null };

let lectures: LectureListItem[];
let isFailing: boolean;
const toasts = collectToasts(getToastText);
let deletion: PromiseWithResolvers<object>;

beforeEach(async () => {
  await Promise.all([showLanguage("en"), libraryMessages.load(), sidebarMessages.load()]);
  // The tree measures its scroller.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 28) });
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  lectures = [heat, bare];
  isFailing = false;
  deletion = Promise.withResolvers();
  const folders = () => {
    const count = lectures.filter(({ folderId }) => folderId === "a").length;
    const physics = folder("a", null, { name: "Physics", lectures: count });
    return list([physics], lectures.length - count);
  };
  fakeServer({
    "lectures.list": ({ folderId }: { folderId?: string | null }) => {
      if (isFailing) return new Refusal("validation_failed");
      const items = lectures.filter((one) => folderId === undefined || one.folderId === folderId);
      return { items, nextCursor: null, total: null };
    },
    "folders.list": folders,
    "lectures.move": ({ id, folderId = null }: LectureInput) => {
      lectures = lectures.map((one) => (one.id === id ? { ...one, folderId } : one));
    },
    "lectures.delete": ({ id }: LectureInput) => {
      lectures = lectures.filter((one) => one.id !== id);
      return deletion.promise;
    },
    "lectures.deleteAll": () => {
      lectures = [];
      return { id: "deletion", lectures: 2, folders: 0 };
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open(folderId?: string | null) {
  const onFolder = vi.fn();
  await showLibrary(
    <LectureLibrary
      folderId={folderId}
      onFolder={onFolder}
      order="name"
      onOrder={() => {}}
      usage={null}
      shared={() => null}
      results={null}
    />,
  );
  return onFolder;
}

const clickFolder = async (name: string) => {
  const row = (await find("[role=treeitem] [id$=-name]", name)).closest<HTMLElement>(
    "[role=treeitem]",
  );
  await act(async () => row?.click());
};
const choose = async (title: string, entry: string) => {
  await click(`More about ${title}`);
  await click(entry, "[role=menuitem]");
};

const listCards = () => [...document.querySelectorAll("article")].map((card) => card.textContent);

test("shows a lecture's date, length, folder and beginning", async () => {
  await open();
  await waitForText("Physics");
  const [first, second] = listCards();
  expect(first).toMatch(
    /^HeatPhysics·Nov 1Nov 1, 2026, \d{1,2}:\d\d [AP]M·<1 minHeat flows\. (So it goes on and on\. ?)+.*…$/,
  );
  expect(document.querySelector("h2")?.textContent).toBe("November");
  expect(second).toContain("No transcript available");
});

test("records at Record, where no recording of this tab waits to go on", async () => {
  await showLibrary(<RecordLink folderId="a" />);
  const address = () => document.querySelector("a")?.getAttribute("href");
  expect(address()).toBe("/record?folder=a&autostart=true");
  await act(async () => recordingStatus.set("paused"));
  expect(address()).toBe("/record?folder=a");
  await act(async () => recordingStatus.set("ready"));
});

test("typesets formulas at the beginning of a lecture, which has no name, in one line", async () => {
  const excerpt = `Let $x^2$ and \\[y_1\\]. ${"So it goes on. ".repeat(8)} $z_3 + z_4${"z".repeat(30)}`;
  lectures = [lecture("formula", null, { title: "", titleSource: "date", excerpt })];
  await open();
  await waitUntil(() => document.querySelectorAll("article math").length === 4);
  expect(document.querySelectorAll("article h3 math")).toHaveLength(2);
  expect(document.querySelector("article math[display=block]")).toBeNull();
  expect(listCards()[0]).not.toContain("z_3");
});

test("shows the folders again in a window that becomes wide again", async () => {
  const setWidth = (width: number) =>
    act(async () =>
      (window as unknown as import("happy-dom").Window).happyDOM.setViewport({ width }),
    );
  const name = "[role=treeitem] [id$=-name]";
  await open();
  await find(name, "Physics");
  // happy-dom tells no window that was wide from the beginning that it has become narrow.
  await setWidth(1100);
  await setWidth(600);
  await settle(() => expect(document.querySelector(name)).toBeNull());
  await setWidth(1024);
  await find(name, "Physics");
});

test("filters by folder, and says when a folder is empty", async () => {
  const onFolder = await open("a");
  await find("article h3", "Heat");
  expect(listCards()).toHaveLength(1);
  // The list of one folder does not repeat its name.
  expect(listCards()[0]).not.toContain("Physics");
  await find("h1", "Physics");
  await clickFolder("Uncategorized");
  expect(onFolder).toHaveBeenLastCalledWith(null);
  await clickFolder("Physics");
  expect(onFolder).toHaveBeenLastCalledWith("a");
  await click("All Lectures2");
  expect(onFolder).toHaveBeenLastCalledWith(undefined);
  await hide();
  lectures = [bare];
  await open("a");
  await waitForText("No lectures in this folder");
  expect((await find("a", "New Lecture")).getAttribute("href")).toBe("/record?folder=a");
});

test("offers the first lecture in an empty library", async () => {
  lectures = [];
  await open();
  await waitForText("No lectures yet");
});

test("says that it failed in place of the list, without a toast, and loads again", async () => {
  isFailing = true;
  await open();
  const again = await find("button", "Try again");
  expect(document.querySelector("[role=alert] h2")?.textContent).toBe(
    "Failed to load folders and lectures",
  );
  expect(toasts).toEqual([]);
  isFailing = false;
  await act(async () => again.click());
  await find("article h3", "Heat");
});

test("deletes after a confirmation, and focuses the next lecture", async () => {
  await open();
  await choose("Heat", "Delete");
  await waitForText(
    "Are you sure you want to delete this lecture? This action cannot be undone after 30 days; until then the lecture is in the trash.",
  );
  await click("Cancel");
  await choose("Heat", "Delete");
  await click("Delete");
  expect((await find("button", "Deleting...")).matches(":disabled, [aria-disabled=true]")).toBe(
    true,
  );
  expect(listCards()).toHaveLength(2);
  deletion.resolve({ id: "deletion", lectures: 1, folders: 0 });
  await settle(() => expect(listCards()).toHaveLength(1));
  await find("button", "All Lectures1");
  await settle(() => expect(document.activeElement?.textContent).toBe("Bare"));
  expect(toasts).toEqual(["You can restore it from the trash for 30 days."]);
});

test("selects lectures, moves them, and deletes all after the word is typed", async () => {
  await open();
  await find("article h3", "Heat");
  await click("Select");
  await waitForText("Nothing selected");
  await click("All");
  await waitForText("2 lectures");
  await click("Move to…");
  await click("Physics", "[role=option]");
  await settle(() => expect(lectures.map(({ folderId }) => folderId)).toEqual(["a", "a"]));
  await click("Select");
  await click("All");
  await click("Delete");
  await waitForText("Type 'delete all' to confirm");
  await type(document.querySelector("[role=dialog] input"), "delete all");
  await click("Delete All Lectures");
  await waitForText("No lectures yet");
});

test("deletes the selected lectures after a confirmation", async () => {
  lectures = [heat, bare, lecture("more", null, { title: "More" })];
  deletion.resolve({ id: "deletion", lectures: 1, folders: 0 });
  await open();
  await find("article h3", "More");
  await click("Select");
  for (const title of ["Heat", "More"]) await act(async () => (await find("label", title)).click());
  await click("Delete");
  await waitForText("Delete 2 lectures?");
  await click("Delete", "[role=alertdialog] button");
  await settle(() => expect(listCards()).toHaveLength(1));
  expect(lectures).toEqual([bare]);
});
