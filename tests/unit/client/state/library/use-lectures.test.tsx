// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useFolderPages } from "#client/features/library/sidebar/folder-pages.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const server = vi.hoisted(() => ({
  lectures: vi.fn<(input: object) => Promise<object>>(),
  folders: vi.fn<() => Promise<object>>(),
}));
vi.mock("#client/state/trpc-client.ts", async () => {
  const { TRPCUntypedClient } = await import("@trpc/client");
  const { observable } = await import("@trpc/server/observable");
  const trpcClient = new TRPCUntypedClient({
    links: [
      () =>
        ({ op }) =>
          observable((observer) => {
            const { cursor: _, ...input } = { cursor: null, ...(op.input as object | undefined) };
            const answer = op.path === "folders.list" ? server.folders() : server.lectures(input);
            answer.then(
              (data) => {
                observer.next({ result: { data } });
                observer.complete();
              },
              (error) => observer.error(error),
            );
          }),
    ],
  });
  return { trpcClient };
});

const page = (...items: LectureListItem[]) => ({ items, nextCursor: null, total: items.length });

beforeEach(() => {
  queryClient.clear();
});
afterEach(async () => {
  vi.clearAllMocks();
});

function Shown() {
  const { tree } = useFolderTree();
  const { lectures, total } = useLectures({ folderId: null });
  return `${tree?.roots.map(({ name }) => name)} ${lectures.map(({ title }) => title)} ${total}`;
}

test("refetches fresh lists on focus, for changes of another tab", async () => {
  server.folders.mockResolvedValueOnce(list([folder("a")]) satisfies FolderList);
  server.lectures.mockResolvedValueOnce(page(lecture("1")));
  await show(<DataProvider>{<Shown />}</DataProvider>);
  await waitFor(() => expect(document.body.textContent).toBe("Folder a Lecture 1 1"));

  server.folders.mockResolvedValueOnce(list([folder("b")]));
  server.lectures.mockResolvedValueOnce(page(lecture("1"), lecture("2")));
  await act(async () => window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(document.body.textContent).toBe("Folder b Lecture 1,Lecture 2 2"));
  expect(server.lectures).toHaveBeenLastCalledWith({ limit: 50, folderId: null });
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
  expect(server.lectures).not.toHaveBeenCalled();

  server.lectures.mockRejectedValueOnce(new Error("not now"));
  queryClient.setDefaultOptions({ queries: { retry: false } });
  await next();
  await waitFor(() => expect(document.body.textContent).toBe("a:  failed"));
  server.lectures.mockResolvedValueOnce({ ...page(lecture("1", "a")), nextCursor: "x", total: 2 });
  await next();
  await waitFor(() => expect(document.body.textContent).toBe("a: Lecture 1 more"));
  server.lectures.mockResolvedValueOnce({ ...page(lecture("2", "a")), total: 2 });
  await next();
  await waitFor(() => expect(document.body.textContent).toBe("a: Lecture 1,Lecture 2 none"));

  await show(<DataProvider>{<Pages open={nothingOpen} />}</DataProvider>);
  await waitFor(() => expect(document.body.textContent).toBe("nothing"));
  // Opened again it is as it was.
  server.lectures.mockResolvedValue(page(lecture("1", "a")));
  await show(<DataProvider>{<Pages open={openA} />}</DataProvider>);
  expect(document.body.textContent).toContain("Lecture 1");
});
