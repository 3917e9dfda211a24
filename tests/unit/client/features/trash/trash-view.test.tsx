// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { trashMessages } from "#client/features/trash/messages/index.ts";
import { getDaysLeft } from "#client/features/trash/trash-row.tsx";
import TrashView from "#client/features/trash/trash-view.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import type { TrashItem } from "#shared/trash.ts";
import { click, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const item = (name: string, change: Partial<TrashItem> = {}): TrashItem => ({
  id: name,
  kind: "lecture",
  name,
  lectures: 1,
  folders: 0,
  datedAt: null,
  deletedAt: new Date(2026, 10, 1, 8).toISOString(),
  expiresAt: "2026-12-01T08:00:00.000Z",
  ...change,
});
const showTrash = () => show(<DataProvider>{<TrashView />}</DataProvider>);

beforeEach(async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  queryClient.clear();
});

const restore = (name: string) =>
  document.querySelector<HTMLButtonElement>(
    `button[aria-label="${trashMessages.t("trash.restoreNamed", { name })}"]`,
  );

test.each([
  ["2026-12-20T08:00:00.000Z", 30],
  ["2026-11-20T08:00:01.000Z", 1],
  ["2026-11-20T08:00:00.000Z", 0],
  ["2026-11-19T08:00:00.000Z", 0],
])("shows for an expiry at %s that %i days are left", (expiresAt, days) => {
  expect(getDaysLeft(expiresAt, Date.parse("2026-11-20T08:00:00.000Z"))).toBe(days);
});

test("says what was deleted, with counts for folders", async () => {
  const items = [
    item("Heat"),
    item("", { id: "untitled" }),
    item("Physics", { kind: "folder", lectures: 12, folders: 1 }),
    item("Empty", { kind: "folder", lectures: 0, folders: 2 }),
    item("", { id: "all", kind: "all_lectures" }),
    item("None", { kind: "folder", lectures: 0 }),
  ];
  fakeServer({ "trash.list": () => ({ items, nextCursor: null }) });
  await showTrash();
  await waitFor(() =>
    expect([...document.querySelectorAll("li")].map((row) => row.textContent)).toEqual(
      [
        "Heat",
        "Untitled Lecture",
        "Physics12 lectures, 1 folder",
        "Empty2 folders",
        "All lectures1 lecture",
        "None0 lectures",
      ].map((text) => expect.stringMatching(`^${text}Deleted Nov 1, 2026`)),
    ),
  );
});

test.each([
  ["en", "Nov 20, 2026 8:00 AM"],
  ["zh", "2026年11月20日 08:00"],
] as const)(
  "calls a draft without a name by its date in the interface's language: %s",
  async (language, name) => {
    await showLanguage(language);
    const draft = item("Nov 20, 2026 8:00 AM", {
      datedAt: new Date(2026, 10, 20, 8).toISOString(),
    });
    fakeServer({ "trash.list": () => ({ items: [draft], nextCursor: null }) });
    await showTrash();
    await waitFor(() => expect(document.querySelector("h2")?.textContent).toBe(name));
  },
);

test.each([
  ["back to its button, if the item stays", "internal", ["Heat", "Light"], "Heat"],
  ["to the next row, if the item is gone", "not_found", ["Light"], "Light"],
] as const)("moves the focus after a failed restore %s", async (_name, code, left, focused) => {
  let titles = ["Heat", "Light"];
  fakeServer({
    "trash.list": () => ({ items: titles.map((name) => item(name)), nextCursor: null }),
    "trash.restore": () => {
      titles = [...left];
      return new Refusal(code);
    },
  });
  await showTrash();
  await waitFor(() => expect(restore("Heat")).not.toBeNull());
  restore("Heat")?.focus();
  await act(async () => restore("Heat")?.click());
  await waitFor(() => {
    expect(document.querySelectorAll("li")).toHaveLength(left.length);
    expect(restore(focused)?.disabled).toBe(false);
    expect(document.activeElement === restore(focused)).toBe(true);
  });
});

test("removes one item, then all, permanently and after a confirmation", async () => {
  let names = ["Heat", "Light", "Sound"];
  fakeServer({
    "trash.list": () => ({ items: names.map((name) => item(name)), nextCursor: null }),
    "trash.remove": () => {
      names = names.slice(1);
    },
    "trash.empty": () => {
      names = [];
    },
  });
  await showTrash();
  const dialog = "[role=alertdialog]";
  await click(trashMessages.t("trash.removeNamed", { name: "Heat" }));
  await waitFor(() =>
    expect(document.querySelector(dialog)?.textContent).toContain(
      trashMessages.t("trash.removeText", { name: "Heat" }),
    ),
  );
  await click(trashMessages.t("trash.remove"), `${dialog} button`);
  await waitFor(() => expect(document.querySelectorAll("li")).toHaveLength(2));
  await waitFor(() => expect(document.activeElement === restore("Light")).toBe(true));
  await click(trashMessages.t("trash.empty"));
  await click(trashMessages.t("trash.empty"), `${dialog} button`);
  await waitFor(() => expect(document.body.textContent).toContain(trashMessages.t("trash.none")));
});
