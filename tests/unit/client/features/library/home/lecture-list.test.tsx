// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import LectureList from "#client/features/library/home/lecture-list.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
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
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const heat = lecture("heat", "a", {
  title: "Heat",
  usedTime: 20,
  minute: 2,
  excerpt: `Heat flows. ${"So it goes on and on. ".repeat(10)}`,
  translatedExcerpt: "热会流动。",
});
const bare = lecture("bare", null, { title: "Bare", minute: 1 });

let lectures: LectureListItem[];
let isFailing: boolean;
const toasts = collectToasts(getToastText);
let deletion: PromiseWithResolvers<object>;

beforeEach(async () => {
  await Promise.all([showLanguage("en"), libraryMessages.load()]);
  lectures = [heat, bare];
  isFailing = false;
  deletion = Promise.withResolvers();
  const folders = () => list([folder("a", null, { name: "Physics" })]);
  fakeServer({
    "lectures.list": ({ folderId }: { folderId?: string | null }) => {
      if (isFailing) return new Refusal("validation_failed");
      const items = lectures.filter((one) => folderId === undefined || one.folderId === folderId);
      return { items, nextCursor: null, total: null };
    },
    "folders.list": folders,
    "folders.chips": () => {
      const count = lectures.filter(({ folderId }) => folderId === "a").length;
      return {
        folders: [{ id: "a", name: "Physics", lectures: count }],
        nextCursor: null,
        total: lectures.length,
        uncategorized: lectures.length - count,
      };
    },
    "lectures.delete": () => {
      lectures = [bare];
      return deletion.promise;
    },
  });
});

async function open(folderId?: string | null) {
  const onFolder = vi.fn();
  await showLibrary(<LectureList folderId={folderId} onFolder={onFolder} />);
  return onFolder;
}

const listCards = () => [...document.querySelectorAll("article")].map((card) => card.textContent);

test("shows a lecture's date, length, folder and beginning", async () => {
  await open();
  await waitForText("Physics");
  const [first, second] = listCards();
  expect(first).toMatch(
    /^HeatNov 1, 2026\d{1,2}:\d\d [AP]M<1 minPhysicsHeat flows\. (So it goes on and on\. ?)+.*…Edit$/,
  );
  expect(second).toContain("No transcript available");
});

test("filters by folder, and says when a folder is empty", async () => {
  const onFolder = await open("a");
  await find("article h2", "Heat");
  expect(listCards()).toHaveLength(1);
  // The list of one folder does not repeat its name.
  expect(listCards()[0]).not.toContain("Physics");
  await click("Uncategorized (1)");
  expect(onFolder).toHaveBeenLastCalledWith(null);
  await click("All Lectures (2)");
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
  await find("article h2", "Heat");
});

test("deletes after a confirmation, and focuses the next lecture", async () => {
  await open();
  await click("Delete Heat");
  await waitForText(
    "Are you sure you want to delete this lecture? This action cannot be undone after 30 days; until then the lecture is in the trash.",
  );
  await click("Cancel");
  await click("Delete Heat");
  await click("Delete");
  expect((await find("button", "Deleting...")).matches(":disabled, [aria-disabled=true]")).toBe(
    true,
  );
  expect(listCards()).toHaveLength(2);
  deletion.resolve({ id: "deletion", lectures: 1, folders: 0 });
  await settle(() => expect(listCards()).toHaveLength(1));
  await find("button", "All Lectures (1)");
  await settle(() => expect(document.activeElement?.textContent).toBe("Bare"));
  expect(toasts).toEqual(["You can restore it from the trash for 30 days."]);
});
