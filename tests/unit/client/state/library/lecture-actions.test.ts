// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { ApiError } from "#client/lib/api-error.ts";
import { setToastHandler, type ToastMessage } from "#client/lib/notifications.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import {
  createFolder,
  deleteFolder,
  moveFolder,
  renameFolder,
} from "#client/state/library/folder-actions.ts";
import {
  deleteAllLectures,
  deleteLecture,
  moveLecture,
  renameLecture,
} from "#client/state/library/lecture-actions.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { queryClient as queries } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import type { Deletion } from "#shared/trash.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const server = vi.hoisted(() => ({
  getItem: vi.fn<(input: { id: string }) => Promise<LectureListItem>>(),
  renameLecture: vi.fn<(input: object) => Promise<void>>(),
  moveLecture: vi.fn<(input: object) => Promise<void>>(),
  deleteLecture: vi.fn<(input: object) => Promise<Deletion>>(),
  deleteAll: vi.fn<(input: object) => Promise<Deletion>>(),
  createFolder: vi.fn<(input: object) => Promise<void>>(),
  renameFolder: vi.fn<(input: object) => Promise<void>>(),
  moveFolder: vi.fn<(input: object) => Promise<void>>(),
  deleteFolder: vi.fn<(input: object) => Promise<Deletion>>(),
  restore: vi.fn<(input: object) => Promise<{ lectures: number; folders: number }>>(),
}));
vi.mock("#client/state/trpc.ts", () => ({
  onUnauthenticated: () => {},
  trpc: {
    lectures: {
      item: { query: server.getItem },
      rename: { mutate: server.renameLecture },
      move: { mutate: server.moveLecture },
      delete: { mutate: server.deleteLecture },
      deleteAll: { mutate: server.deleteAll },
    },
    folders: {
      create: { mutate: server.createFolder },
      rename: { mutate: server.renameFolder },
      move: { mutate: server.moveFolder },
      delete: { mutate: server.deleteFolder },
    },
    trash: { restore: { mutate: server.restore } },
  },
}));

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

const deletion = (lectures: number) => ({ id: "deletion", lectures, folders: 1 });

let toasts: ToastMessage[];
let recording: ReturnType<typeof holdRecording>;

function openLecture(id: string) {
  const shownLecture = {
    id,
    title: "",
    titleSource: "person",
    status: "completed",
    state: "stored",
  } as const;
  recording.view.set(recordingView({ lecture: shownLecture }));
}

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
const tree = () => queries.getQueryData<FolderList>(queryKeys.tree);
const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  toasts = [];
  setToastHandler((message) => toasts.push(message));
  vi.resetAllMocks();
  server.getItem.mockImplementation(async ({ id }) => lecture(id, "b"));
  server.deleteLecture.mockResolvedValue(deletion(1));
  server.deleteAll.mockResolvedValue(deletion(3));
  server.deleteFolder.mockResolvedValue(deletion(1));
  server.restore.mockResolvedValue({ lectures: 1, folders: 0 });
  for (const call of [server.renameLecture, server.moveLecture, server.createFolder])
    call.mockResolvedValue();
  for (const call of [server.renameFolder, server.moveFolder]) call.mockResolvedValue();
  recording = holdRecording();
  recording.reset.mockImplementation(async () => {
    recording.view.set(recordingView());
  });
  queries.clear();
  const one = lecture("one", null, { minute: 1 });
  const two = lecture("two", null, { minute: 2 });
  const three = lecture("three", "b", { minute: 3 });
  store(everything, [three, two, one]);
  store(loose, [two, one]);
  store(inB, [three]);
  queries.setQueryData(queryKeys.tree, list([folder("a"), folder("b", "a", { lectures: 1 })], 2));
});

/** The server's answer comes when it is toasts to. */
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
    const renamed = renameLecture("one", "  Light ");
    await waitFor(() =>
      expect(shown(everything)).toEqual(["Lecture three", "Lecture two", "Light"]),
    );
    expect(shown(loose)).toEqual(["Lecture two", "Light"]);
    expect(toasts).toEqual([]);
    answer.resolve(undefined);
    expect(await renamed).toBe(true);
    expect(server.renameLecture).toHaveBeenCalledWith({ id: "one", title: "Light" });
    expect(recording.onLectureRenamed).toHaveBeenCalledWith("one", "Light");
    expect(toasts).toEqual([{ kind: "success", title: "Lecture Renamed" }]);
    expect(stale(everything)).toBe(true);
  });

  test("keeps its name for a blank or unchanged one, and after a failure", async () => {
    expect(await renameLecture("one", "  ")).toBe(false);
    expect(await renameLecture("one", "Lecture one ")).toBe(false);
    expect(server.renameLecture).not.toHaveBeenCalled();
    server.renameLecture.mockRejectedValueOnce(refusal());
    expect(await renameLecture("one", "Light")).toBe(false);
    expect(shown(everything)).toEqual(["Lecture three", "Lecture two", "Lecture one"]);
    expect(toasts).toEqual(failed("Failed to rename lecture"));
    expect(recording.onLectureRenamed).not.toHaveBeenCalled();
  });

  test("moves into its folder at once, and counts are refetched", async () => {
    const answer = held(server.moveLecture);
    const moved = moveLecture("one", "b");
    await waitFor(() => expect(shown(inB)).toEqual(["Lecture three", "Lecture one"]));
    expect(shown(loose)).toEqual(["Lecture two"]);
    expect(stale(queryKeys.tree)).toBe(false);
    answer.reject(refusal());
    expect(await moved).toBe(false);
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);
    await waitFor(() => expect(stale(queryKeys.tree)).toBe(true));
    expect(toasts).toEqual(failed("Failed to move lecture"));
    expect(await moveLecture("one", null)).toBe(false);
    expect(server.moveLecture).toHaveBeenCalledOnce();
  });

  test("keeps the later of two changes when the earlier one fails", async () => {
    const first = held(server.renameLecture);
    const renames = [renameLecture("one", "Light"), renameLecture("one", "Heat")];
    await waitFor(() => expect(shown(loose)).toEqual(["Lecture two", "Heat"]));
    // In their order, one after the other.
    expect(server.renameLecture).toHaveBeenCalledOnce();
    first.reject(refusal());
    expect(await Promise.all(renames)).toEqual([false, true]);
    expect(shown(loose)).toEqual(["Lecture two", "Heat"]);
  });

  test("shows the server's state when both of two changes fail", async () => {
    const name = held(server.renameLecture);
    const light = renameLecture("one", "Light");
    await waitFor(() => expect(shown(loose)).toEqual(["Lecture two", "Light"]));
    server.renameLecture.mockRejectedValueOnce(refusal());
    const heat = renameLecture("one", "Heat");
    name.reject(refusal());
    expect(await Promise.all([light, heat])).toEqual([false, false]);
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);

    const place = held(server.moveLecture);
    const toA = moveLecture("one", "a");
    await waitFor(() => expect(shown(loose)).toEqual(["Lecture two"]));
    server.moveLecture.mockRejectedValueOnce(refusal());
    const toB = moveLecture("one", "b");
    place.reject(refusal());
    expect(await Promise.all([toA, toB])).toEqual([false, false]);
    expect([shown(loose), shown(inB)]).toEqual([["Lecture two", "Lecture one"], ["Lecture three"]]);
  });

  test("keeps the earlier of two changes when the later one fails", async () => {
    const first = held(server.renameLecture);
    const light = renameLecture("one", "Light");
    await waitFor(() => expect(server.renameLecture).toHaveBeenCalledOnce());
    server.renameLecture.mockRejectedValueOnce(refusal());
    const heat = renameLecture("one", "Heat");
    first.resolve(undefined);
    expect(await Promise.all([light, heat])).toEqual([true, false]);
    expect(shown(loose)).toEqual(["Lecture two", "Light"]);
  });

  test("closes the recording and is removed after the server's confirmation", async () => {
    openLecture("one");
    const answer = held(server.deleteLecture);
    const removed = deleteLecture("one");
    await waitFor(() => expect(server.deleteLecture).toHaveBeenCalled());
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);
    answer.resolve(deletion(1));
    expect(await removed).toBe(true);
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("one");
    expect(shown(loose)).toEqual(["Lecture two"]);
    await waitFor(() => expect(stale(queryKeys.tree)).toBe(true));
    expect(toasts).toMatchObject([
      {
        ...{ kind: "success", title: "Lecture Deleted", action: { label: "Undo" } },
        description: "You can restore it from the trash for 30 days.",
      },
    ]);
    toasts[0]?.action?.run();
    await waitFor(() => expect(toasts[1]).toMatchObject({ title: "Restored" }));
    expect(server.restore).toHaveBeenCalledWith({ id: "deletion" });
  });

  test("is reopened when it could not be deleted", async () => {
    openLecture("one");
    server.deleteLecture.mockRejectedValueOnce(refusal());
    expect(await deleteLecture("one")).toBe(false);
    expect(recording.load).toHaveBeenCalledWith("one");
    expect(recording.onLectureDeleted).not.toHaveBeenCalled();
    expect(toasts).toEqual(failed("Failed to delete lecture"));
  });

  test("is deleted with all others", async () => {
    openLecture("three");
    expect(await deleteAllLectures()).toBe(true);
    expect([shown(everything), shown(inB)]).toEqual([[], []]);
    expect(tree()?.folders).toHaveLength(2);
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("three");
    expect(toasts).toMatchObject([{ kind: "success", title: "All Lectures Deleted" }]);
    server.deleteAll.mockRejectedValueOnce(refusal());
    expect(await deleteAllLectures()).toBe(false);
    expect(toasts.slice(1)).toEqual(failed("Failed to delete all lectures"));
  });
});

describe("a folder", () => {
  test("is shown at once, and removed after a failure", async () => {
    const answer = held(server.createFolder);
    const id = createFolder("a", " Optics ");
    await waitFor(() =>
      expect(tree()?.folders.at(-1)).toMatchObject({ id, name: "Optics", parentFolderId: "a" }),
    );
    answer.reject(new ApiError("folders_full", false));
    await waitFor(() => expect(tree()?.folders).toHaveLength(2));
    expect(toasts).toEqual(failed("You have reached the maximum number of folders."));
    expect(createFolder(null, " ")).toBeNull();
    expect(server.createFolder).toHaveBeenCalledOnce();
  });

  test("is renamed and moved at once, and reverted after a failure", async () => {
    const getName = () => tree()?.folders.find(({ id }) => id === "b")?.name;
    const getParentId = () => tree()?.folders.find(({ id }) => id === "b")?.parentFolderId;
    expect(await renameFolder("b", "Optics")).toBe(true);
    expect(getName()).toBe("Optics");
    server.renameFolder.mockRejectedValueOnce(refusal());
    expect(await renameFolder("b", "Heat")).toBe(false);
    expect(getName()).toBe("Optics");
    expect(await renameFolder("b", " ")).toBe(false);

    server.moveFolder.mockRejectedValueOnce(refusal());
    expect(await moveFolder("b", null)).toBe(false);
    expect(getParentId()).toBe("a");
    expect(await moveFolder("b", null)).toBe(true);
    expect(getParentId()).toBeNull();
    expect(toasts.map(({ title, description }) => description ?? title)).toEqual([
      ...["Folder Updated", "Failed to update folder", "Failed to update folder", "Folder Updated"],
    ]);
  });

  test("shows the server's state when both of two changes fail", async () => {
    const one = () => tree()?.folders.find(({ id }) => id === "b");
    const name = held(server.renameFolder);
    const light = renameFolder("b", "Light");
    await waitFor(() => expect(one()?.name).toBe("Light"));
    server.renameFolder.mockRejectedValueOnce(refusal());
    const heat = renameFolder("b", "Heat");
    name.reject(refusal());
    expect(await Promise.all([light, heat])).toEqual([false, false]);
    expect(one()?.name).toBe("Folder b");

    expect(await moveFolder("b", null)).toBe(true);
    const id = createFolder(null, "Optics") ?? "";
    const place = held(server.moveFolder);
    const inside = moveFolder("b", "a");
    await waitFor(() => expect(one()?.parentFolderId).toBe("a"));
    server.moveFolder.mockRejectedValueOnce(refusal());
    const elsewhere = moveFolder("b", id);
    place.reject(refusal());
    expect(await Promise.all([inside, elsewhere])).toEqual([false, false]);
    expect(one()?.parentFolderId).toBeNull();
  });

  test("is never moved into itself or a descendant", async () => {
    expect(await moveFolder("a", "b")).toBe(false);
    expect(await moveFolder("a", "a")).toBe(false);
    expect(server.moveFolder).not.toHaveBeenCalled();
  });

  test("is deleted with its contents after closing an open lecture in it", async () => {
    openLecture("three");
    expect(await deleteFolder("a")).toBe(true);
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("three");
    expect(tree()?.folders).toEqual([]);
    expect([shown(everything), shown(inB)]).toEqual([["Lecture two", "Lecture one"], []]);
    expect(toasts).toMatchObject([
      { kind: "success", title: "Folder Deleted", description: "1 lecture deleted" },
    ]);
  });

  test("keeps an open lecture outside of it open, even if no list has it", async () => {
    openLecture("one");
    expect(await deleteFolder("a")).toBe(true);
    openLecture("unknown");
    server.deleteFolder.mockRejectedValueOnce(refusal());
    expect(await deleteFolder("b")).toBe(false);
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(recording.load).toHaveBeenCalledWith("unknown");
    expect(toasts.slice(1)).toEqual(failed("Failed to delete folder"));
  });
});

test("does not undo a change by a response in flight", async () => {
  const answer = Promise.withResolvers<FolderList>();
  const refetch = queries
    .fetchQuery({ queryKey: queryKeys.tree, queryFn: () => answer.promise })
    .catch(() => {});
  const pending = held(server.renameFolder);
  const renamed = renameFolder("a", "Physics");
  await waitFor(() => expect(tree()?.folders[0]?.name).toBe("Physics"));
  answer.resolve(list([folder("a")]));
  await refetch;
  expect(tree()?.folders[0]?.name).toBe("Physics");
  pending.resolve(undefined);
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
  const renamed = renameLecture("one", "Waves");
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
  expect(await moveLecture("one", "a")).toBe(true);
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  older.resolve([]);
  await waitFor(() => expect(observer.getCurrentResult().data).toEqual([lecture("one", "a")]));
  leave();
});
