// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { useFolderPages } from "#client/features/library/sidebar/use-tree-rows.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

/** What the server answers to the next requests; `sent`: those for lectures. */
let folders: FolderList[];
let pages: unknown[];
let sent: unknown[];

const page = (...items: LectureListItem[]) => ({ items, nextCursor: null, total: items.length });

beforeEach(() => {
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  sent = [];
  fakeServer({
    "folders.list": () => folders.shift(),
    "lectures.list": (input: unknown) => {
      sent.push(input);
      return pages.shift();
    },
  });
});

function Shown() {
  const { tree } = useFolderTree();
  const { lectures, total } = useLectures({ folderId: null });
  return `${tree?.roots.map(({ name }) => name)} ${lectures.map(({ title }) => title)} ${total}`;
}

test("refetches fresh lists on focus, for changes of another tab", async () => {
  folders = [list([folder("a")]), list([folder("b")])];
  pages = [page(lecture("1")), page(lecture("1"), lecture("2"))];
  await show(<DataProvider>{<Shown />}</DataProvider>);
  await waitFor(() => expect(document.body.textContent).toBe("Folder a Lecture 1 1"));

  await act(async () => window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(document.body.textContent).toBe("Folder b Lecture 1,Lecture 2 2"));
  expect(sent.at(-1)).toMatchObject({ limit: 50, folderId: null });
});

const openA = (place: string | null) => place === "a";
const nothingOpen = () => false;

function Pages({ open }: { open: (place: string | null) => boolean }) {
  const { loaded, loadMore } = useFolderPages(open);
  const said = [...loaded].map(
    ([place, { items, remaining }]) => `${place}: ${items.map(({ title }) => title)} ${remaining}`,
  );
  return (
    <button type="button" onClick={() => loadMore("a")}>
      {said.join("; ") || "nothing"}
    </button>
  );
}

test("loads the lectures of a folder on demand, page by page, and retries after a failure", async () => {
  const next = () => act(async () => document.body.querySelector("button")?.click());
  await show(<DataProvider>{<Pages open={openA} />}</DataProvider>);
  expect(document.body.textContent).toBe("nothing");
  expect(sent).toEqual([]);

  pages = [
    new Refusal("internal"),
    { ...page(lecture("1", "a")), nextCursor: "x", total: 2 },
    { ...page(lecture("2", "a")), total: 2 },
  ];
  for (const text of ["a:  failed", "a: Lecture 1 more", "a: Lecture 1,Lecture 2 none"]) {
    await next();
    await waitFor(() => expect(document.body.textContent).toBe(text));
  }

  await show(<DataProvider>{<Pages open={nothingOpen} />}</DataProvider>);
  await waitFor(() => expect(document.body.textContent).toBe("nothing"));
  // Opened again it is as it was.
  pages = Array(2).fill(page(lecture("1", "a")));
  await show(<DataProvider>{<Pages open={openA} />}</DataProvider>);
  expect(document.body.textContent).toContain("Lecture 1");
});
