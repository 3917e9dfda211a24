// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { trashMessages } from "#client/features/trash/messages/index.ts";
import TrashView from "#client/features/trash/trash-view.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import type { TrashItem } from "#shared/trash.ts";
import { click, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const item = (name: string): TrashItem => ({
  ...{ id: name, kind: "lecture", name, lectures: 1, folders: 0 },
  deletedAt: "2026-11-01T08:00:00.000Z",
  expiresAt: "2026-12-01T08:00:00.000Z",
});

beforeEach(async () => {
  await Promise.all([showLanguage("en"), trashMessages.load()]);
  queryClient.clear();
});

const restore = (name: string) =>
  document.querySelector<HTMLButtonElement>(
    `button[aria-label="${trashMessages.t("trash.restoreNamed", { name })}"]`,
  );

test.each([
  ["back to its button, if the item stays", "internal", ["Heat", "Light"], "Heat"],
  ["to the next row, if the item is gone", "not_found", ["Light"], "Light"],
] as const)("moves the focus after a failed restore %s", async (_name, code, left, focused) => {
  let titles = ["Heat", "Light"];
  fakeServer({
    "trash.list": () => ({ items: titles.map(item), nextCursor: null }),
    "trash.restore": () => {
      titles = [...left];
      return new Refusal(code);
    },
  });
  await show(<DataProvider>{<TrashView />}</DataProvider>);
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
    "trash.list": () => ({ items: names.map(item), nextCursor: null }),
    "trash.remove": () => {
      names = names.slice(1);
    },
    "trash.empty": () => {
      names = [];
    },
  });
  await show(<DataProvider>{<TrashView />}</DataProvider>);
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
