// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { ApiError } from "#client/realtime/server-api.ts";
import { LibraryCache, queryKeys } from "#client/state/library/cache.ts";
import { LibraryChanges } from "#client/state/library/changes.ts";
import { createFolderActions } from "#client/state/library/folder-actions.ts";
import { createLectureActions } from "#client/state/library/lecture-actions.ts";
import type { LibraryServer } from "#client/state/library/library-server.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { setToastHandler, type ToastMessage } from "#client/state/notifications.ts";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { folder, lecture, list } from "./kit/folders.ts";

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

const deletion = (lectures: number) => ({ id: "deletion", lectures, folders: 1 });

let told: ToastMessage[];
let server: { [K in keyof LibraryServer]: ReturnType<typeof vi.fn<LibraryServer[K]>> };
let recording: {
  open: string | null;
  getOpenId: () => string | null;
  close: ReturnType<typeof vi.fn<() => Promise<void>>>;
  notifyDeleted: ReturnType<typeof vi.fn<(id: string) => void>>;
  reopen: ReturnType<typeof vi.fn<(id: string) => Promise<void>>>;
  notifyRenamed: ReturnType<typeof vi.fn<(id: string, title: string) => void>>;
};
let queries: QueryClient;
let lectures: ReturnType<typeof createLectureActions>;
let folders: ReturnType<typeof createFolderActions>;

const everything = lecturePagesQuery({}).queryKey;
const loose = lecturePagesQuery({ folderId: null }).queryKey;
const inB = lecturePagesQuery({ folderId: "b" }).queryKey;

function store(key: typeof everything, items: LectureListItem[]) {
  queries.setQueryData(key, {
    pages: [{ items, nextCursor: null, total: items.length }],
    pageParams: [null],
  });
}

const shown = (key: typeof everything) =>
  queries.getQueryData(key)?.pages.flatMap(({ items }) => items.map(({ title }) => title));
const total = (key: typeof everything) => queries.getQueryData(key)?.pages[0]?.total;
const tree = () => queries.getQueryData<FolderList>(queryKeys.tree);
const getLectureCount = (id: string) => tree()?.folders.find((one) => one.id === id)?.lectures;
const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  told = [];
  setToastHandler((message) => told.push(message));
  server = {
    item: vi.fn<LibraryServer["item"]>(async (id) => lecture(id, "b")),
    renameLecture: vi.fn<LibraryServer["renameLecture"]>(async () => {}),
    moveLecture: vi.fn<LibraryServer["moveLecture"]>(async () => {}),
    deleteLecture: vi.fn<LibraryServer["deleteLecture"]>(async () => deletion(1)),
    deleteAll: vi.fn<LibraryServer["deleteAll"]>(async () => deletion(3)),
    createFolder: vi.fn<LibraryServer["createFolder"]>(async () => {}),
    renameFolder: vi.fn<LibraryServer["renameFolder"]>(async () => {}),
    moveFolder: vi.fn<LibraryServer["moveFolder"]>(async () => {}),
    deleteFolder: vi.fn<LibraryServer["deleteFolder"]>(async () => deletion(1)),
    restore: vi.fn<LibraryServer["restore"]>(async () => ({ lectures: 1, folders: 0 })),
  };
  recording = {
    open: null,
    getOpenId: () => recording.open,
    close: vi.fn(async () => {}),
    notifyDeleted: vi.fn(),
    reopen: vi.fn(async () => {}),
    notifyRenamed: vi.fn(),
  };
  queries = new QueryClient();
  const one = lecture("one", null, { minute: 1 });
  const two = lecture("two", null, { minute: 2 });
  const three = lecture("three", "b", { minute: 3 });
  store(everything, [three, two, one]);
  store(loose, [two, one]);
  store(inB, [three]);
  queries.setQueryData(queryKeys.tree, list([folder("a"), folder("b", "a", { lectures: 1 })], 2));
  const cache = new LibraryCache(queries);
  const deps = { cache, changes: new LibraryChanges(cache), server, recording };
  lectures = createLectureActions(deps);
  folders = createFolderActions(deps, () => new Date("2026-11-20T08:00:00Z"));
});

/** The server's answer comes when it is told to. */
function held(call: ReturnType<typeof vi.fn<(...input: never[]) => Promise<unknown>>>) {
  const answer = Promise.withResolvers<unknown>();
  call.mockImplementationOnce(() => answer.promise);
  return answer;
}

const refusal = () => new ApiError("unavailable", true);
const failed = (description: string) => [{ kind: "failure", title: "Error", description }];

describe("a lecture", () => {
  test("is renamed at once, and the recording is notified", async () => {
    const answer = held(server.renameLecture);
    const renamed = lectures.rename("one", "  Light ");
    await waitFor(() =>
      expect(shown(everything)).toEqual(["Lecture three", "Lecture two", "Light"]),
    );
    expect(shown(loose)).toEqual(["Lecture two", "Light"]);
    expect(told).toEqual([]);
    answer.resolve(undefined);
    expect(await renamed).toBe(true);
    expect(server.renameLecture).toHaveBeenCalledWith({ id: "one", title: "Light" });
    expect(recording.notifyRenamed).toHaveBeenCalledWith("one", "Light");
    expect(told).toEqual([{ kind: "success", title: "Lecture Renamed" }]);
    expect(stale(everything)).toBe(true);
  });

  test("keeps its name for a blank or unchanged one, and after a failure", async () => {
    expect(await lectures.rename("one", "  ")).toBe(false);
    expect(await lectures.rename("one", "Lecture one ")).toBe(false);
    expect(server.renameLecture).not.toHaveBeenCalled();
    server.renameLecture.mockRejectedValueOnce(refusal());
    expect(await lectures.rename("one", "Light")).toBe(false);
    expect(shown(everything)).toEqual(["Lecture three", "Lecture two", "Lecture one"]);
    expect(told).toEqual(failed("Failed to rename lecture"));
    expect(recording.notifyRenamed).not.toHaveBeenCalled();
  });

  test("moves into its folder at once, with all counts", async () => {
    const answer = held(server.moveLecture);
    const moved = lectures.move("one", "b");
    await waitFor(() => expect(shown(inB)).toEqual(["Lecture three", "Lecture one"]));
    expect(shown(loose)).toEqual(["Lecture two"]);
    expect([total(loose), total(inB), total(everything)]).toEqual([1, 2, 3]);
    expect([getLectureCount("b"), tree()?.uncategorized]).toEqual([2, 1]);
    answer.reject(refusal());
    expect(await moved).toBe(false);
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);
    expect([total(loose), total(inB)]).toEqual([2, 1]);
    expect([getLectureCount("b"), tree()?.uncategorized]).toEqual([1, 2]);
    expect(told).toEqual(failed("Failed to move lecture"));
    expect(await lectures.move("one", null)).toBe(false);
    expect(server.moveLecture).toHaveBeenCalledOnce();
  });

  test("keeps the later of two changes when the earlier one fails", async () => {
    const first = held(server.renameLecture);
    const renames = [lectures.rename("one", "Light"), lectures.rename("one", "Heat")];
    await waitFor(() => expect(shown(loose)).toEqual(["Lecture two", "Heat"]));
    // In their order, one after the other.
    expect(server.renameLecture).toHaveBeenCalledOnce();
    first.reject(refusal());
    expect(await Promise.all(renames)).toEqual([false, true]);
    expect(shown(loose)).toEqual(["Lecture two", "Heat"]);
  });

  test("shows the server's state when both of two changes fail", async () => {
    const name = held(server.renameLecture);
    const light = lectures.rename("one", "Light");
    await waitFor(() => expect(shown(loose)).toEqual(["Lecture two", "Light"]));
    server.renameLecture.mockRejectedValueOnce(refusal());
    const heat = lectures.rename("one", "Heat");
    name.reject(refusal());
    expect(await Promise.all([light, heat])).toEqual([false, false]);
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);

    const place = held(server.moveLecture);
    const toA = lectures.move("one", "a");
    await waitFor(() => expect(getLectureCount("a")).toBe(1));
    server.moveLecture.mockRejectedValueOnce(refusal());
    const toB = lectures.move("one", "b");
    place.reject(refusal());
    expect(await Promise.all([toA, toB])).toEqual([false, false]);
    expect([shown(loose), shown(inB)]).toEqual([["Lecture two", "Lecture one"], ["Lecture three"]]);
    expect([getLectureCount("a"), getLectureCount("b"), tree()?.uncategorized]).toEqual([0, 1, 2]);
  });

  test("keeps the earlier of two changes when the later one fails", async () => {
    const first = held(server.renameLecture);
    const light = lectures.rename("one", "Light");
    await waitFor(() => expect(server.renameLecture).toHaveBeenCalledOnce());
    server.renameLecture.mockRejectedValueOnce(refusal());
    const heat = lectures.rename("one", "Heat");
    first.resolve(undefined);
    expect(await Promise.all([light, heat])).toEqual([true, false]);
    expect(shown(loose)).toEqual(["Lecture two", "Light"]);
  });

  test("closes the recording and is removed after the server's confirmation", async () => {
    recording.open = "one";
    const answer = held(server.deleteLecture);
    const removed = lectures.remove("one");
    await waitFor(() => expect(server.deleteLecture).toHaveBeenCalled());
    expect(recording.close).toHaveBeenCalledOnce();
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);
    answer.resolve(deletion(1));
    expect(await removed).toBe(true);
    expect(recording.notifyDeleted).toHaveBeenCalledWith("one");
    expect(shown(loose)).toEqual(["Lecture two"]);
    expect(tree()).toMatchObject({ total: 2, uncategorized: 1 });
    expect(told).toMatchObject([
      {
        ...{ kind: "success", title: "Lecture Deleted", action: { label: "Undo" } },
        description: "It can be brought back from the trash for 30 days.",
      },
    ]);
    told[0]?.action?.run();
    await waitFor(() => expect(told[1]).toMatchObject({ title: "Restored" }));
    expect(server.restore).toHaveBeenCalledWith("deletion");
  });

  test("is reopened when it could not be deleted", async () => {
    recording.open = "one";
    server.deleteLecture.mockRejectedValueOnce(refusal());
    expect(await lectures.remove("one")).toBe(false);
    expect(recording.reopen).toHaveBeenCalledWith("one");
    expect(recording.notifyDeleted).not.toHaveBeenCalled();
    expect(told).toEqual(failed("Failed to delete lecture"));
  });

  test("is deleted with all others", async () => {
    recording.open = "three";
    expect(await lectures.removeAll()).toBe(true);
    expect([shown(everything), shown(inB)]).toEqual([[], []]);
    expect(tree()).toMatchObject({ total: 0, uncategorized: 0 });
    expect(tree()?.folders).toHaveLength(2);
    expect(recording.notifyDeleted).toHaveBeenCalledWith("three");
    expect(told).toMatchObject([{ kind: "success", title: "All Lectures Deleted" }]);
    server.deleteAll.mockRejectedValueOnce(refusal());
    expect(await lectures.removeAll()).toBe(false);
    expect(told.slice(1)).toEqual(failed("Failed to delete all lectures"));
  });
});

describe("a folder", () => {
  test("is shown at once, and removed after a failure", async () => {
    const answer = held(server.createFolder);
    const id = folders.create("a", " Optics ");
    await waitFor(() =>
      expect(tree()?.folders.at(-1)).toMatchObject({ id, name: "Optics", parentFolderId: "a" }),
    );
    answer.reject(new ApiError("folders_full", false));
    await waitFor(() => expect(tree()?.folders).toHaveLength(2));
    expect(told).toEqual(failed("You have as many folders as an account can hold."));
    expect(folders.create(null, " ")).toBeNull();
    expect(server.createFolder).toHaveBeenCalledOnce();
  });

  test("is renamed and moved at once, and reverted after a failure", async () => {
    const getName = () => tree()?.folders.find(({ id }) => id === "b")?.name;
    const getParentId = () => tree()?.folders.find(({ id }) => id === "b")?.parentFolderId;
    expect(await folders.rename("b", "Optics")).toBe(true);
    expect(getName()).toBe("Optics");
    server.renameFolder.mockRejectedValueOnce(refusal());
    expect(await folders.rename("b", "Heat")).toBe(false);
    expect(getName()).toBe("Optics");
    expect(await folders.rename("b", " ")).toBe(false);

    server.moveFolder.mockRejectedValueOnce(refusal());
    expect(await folders.move("b", null)).toBe(false);
    expect(getParentId()).toBe("a");
    expect(await folders.move("b", null)).toBe(true);
    expect(getParentId()).toBeNull();
    expect(told.map(({ title, description }) => description ?? title)).toEqual([
      ...["Folder Updated", "Failed to update folder", "Failed to update folder", "Folder Updated"],
    ]);
  });

  test("shows the server's state when both of two changes fail", async () => {
    const one = () => tree()?.folders.find(({ id }) => id === "b");
    const name = held(server.renameFolder);
    const light = folders.rename("b", "Light");
    await waitFor(() => expect(one()?.name).toBe("Light"));
    server.renameFolder.mockRejectedValueOnce(refusal());
    const heat = folders.rename("b", "Heat");
    name.reject(refusal());
    expect(await Promise.all([light, heat])).toEqual([false, false]);
    expect(one()?.name).toBe("Folder b");

    expect(await folders.move("b", null)).toBe(true);
    const id = folders.create(null, "Optics") ?? "";
    const place = held(server.moveFolder);
    const inside = folders.move("b", "a");
    await waitFor(() => expect(one()?.parentFolderId).toBe("a"));
    server.moveFolder.mockRejectedValueOnce(refusal());
    const elsewhere = folders.move("b", id);
    place.reject(refusal());
    expect(await Promise.all([inside, elsewhere])).toEqual([false, false]);
    expect(one()?.parentFolderId).toBeNull();
  });

  test("is never moved into itself or a descendant", async () => {
    expect(await folders.move("a", "b")).toBe(false);
    expect(await folders.move("a", "a")).toBe(false);
    expect(server.moveFolder).not.toHaveBeenCalled();
  });

  test("is deleted with its contents after closing an open lecture in it", async () => {
    recording.open = "three";
    expect(await folders.remove("a")).toBe(true);
    expect(recording.close).toHaveBeenCalledOnce();
    expect(recording.notifyDeleted).toHaveBeenCalledWith("three");
    expect(tree()).toEqual(list([], 2));
    expect(told).toMatchObject([
      { kind: "success", title: "Folder Deleted", description: "1 lecture deleted" },
    ]);
  });

  test("keeps an open lecture outside of it open, even if no list has it", async () => {
    recording.open = "one";
    expect(await folders.remove("a")).toBe(true);
    recording.open = "unknown";
    server.deleteFolder.mockRejectedValueOnce(refusal());
    expect(await folders.remove("b")).toBe(false);
    expect(recording.close).toHaveBeenCalledOnce();
    expect(recording.reopen).toHaveBeenCalledWith("unknown");
    expect(told.slice(1)).toEqual(failed("Failed to delete folder"));
  });
});

test("does not undo a change by a response in flight", async () => {
  const answer = Promise.withResolvers<FolderList>();
  const asked = queries
    .fetchQuery({ queryKey: queryKeys.tree, queryFn: () => answer.promise })
    .catch(() => {});
  const held_ = held(server.renameFolder);
  const renamed = folders.rename("a", "Physics");
  await waitFor(() => expect(tree()?.folders[0]?.name).toBe("Physics"));
  answer.resolve(list([folder("a")]));
  await asked;
  expect(tree()?.folders[0]?.name).toBe("Physics");
  held_.resolve(undefined);
  expect(await renamed).toBe(true);
});

test("does not bring the old title back by a refetch of the lecture", async () => {
  const answer = Promise.withResolvers<LectureListItem>();
  const item = () => queries.getQueryData<LectureListItem>(queryKeys.item("one"))?.title;
  queries.setQueryData(queryKeys.item("one"), lecture("one"));
  const read = queries
    .fetchQuery({ queryKey: queryKeys.item("one"), queryFn: () => answer.promise })
    .catch(() => {});
  const sent = held(server.renameLecture);
  const renamed = lectures.rename("one", "Waves");
  await waitFor(() => expect(item()).toBe("Waves"));
  answer.resolve(lecture("one"));
  await read;
  expect(item()).toBe("Waves");
  sent.resolve(undefined);
  expect(await renamed).toBe(true);
});

test("refetches a list that was requested before a change and answered after it", async () => {
  const key = lecturePagesQuery({ folderId: "a" }).queryKey;
  const older = Promise.withResolvers<LectureListItem[]>();
  const ask = vi.fn(() => older.promise);
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: ask });
  const leave = observer.subscribe(() => {});
  await waitFor(() => expect(ask).toHaveBeenCalledOnce());
  ask.mockResolvedValueOnce([lecture("one", "a")]);
  expect(await lectures.move("one", "a")).toBe(true);
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  older.resolve([]);
  await waitFor(() => expect(observer.getCurrentResult().data).toEqual([lecture("one", "a")]));
  leave();
});
