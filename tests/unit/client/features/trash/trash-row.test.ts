// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { trashMessages } from "#client/features/trash/messages/index.ts";
import { getDaysLeft, getTrashItemName } from "#client/features/trash/trash-row.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { formatDeletedCounts } from "#client/state/library/deletions.ts";

test("names a trash item by its name, and an untitled lecture as such", async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  expect(getTrashItemName(trashMessages.t, { kind: "folder", name: "Physics" })).toBe("Physics");
  expect(getTrashItemName(trashMessages.t, { kind: "lecture", name: "" })).toBe("Untitled Lecture");
  expect(getTrashItemName(trashMessages.t, { kind: "all_lectures", name: "" })).toBe(
    "All lectures",
  );
});

test.each([
  ["2026-12-20T08:00:00.000Z", 30],
  ["2026-11-20T08:00:01.000Z", 1],
  ["2026-11-20T08:00:00.000Z", 0],
  ["2026-11-19T08:00:00.000Z", 0],
])("shows for an expiry at %s that %i days are left", (expiresAt, days) => {
  expect(getDaysLeft(expiresAt, Date.parse("2026-11-20T08:00:00.000Z"))).toBe(days);
});

test("formats the counts of a deletion", async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  expect(formatDeletedCounts(trashMessages.t, { lectures: 1, folders: 0 })).toBe("1 lecture");
  expect(formatDeletedCounts(trashMessages.t, { lectures: 0, folders: 2 })).toBe("2 folders");
  expect(formatDeletedCounts(trashMessages.t, { lectures: 12, folders: 1 })).toBe(
    "12 lectures, 1 folder",
  );
  expect(formatDeletedCounts(trashMessages.t, { lectures: 0, folders: 0 })).toBe("0 lectures");
});
