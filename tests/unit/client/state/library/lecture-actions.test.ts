// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { queryKeys, updateCachedLecture } from "#client/state/library/cache.ts";
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
import { api, queryClient as queries } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture, list, storedLecture } from "#tests/unit/client/kit/folders.ts";
import { collectToasts } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

const toasts = collectToasts();
let recording: ReturnType<typeof holdRecording>;
/** The procedures that change something, with their inputs, in the order of the calls. */
let sent: [string, unknown][];
/** What the server answers to the next calls of a procedure; after them, that it succeeded. */
let answers: Partial<Record<string, unknown[]>>;

const deletion = (lectures: number) => ({ id: "deletion", lectures, folders: 1 });
const refusal = new Refusal("internal");

const succeeds = {
  "lectures.rename": undefined,
  "lectures.move": undefined,
  "folders.create": undefined,
  "folders.rename": undefined,
  "folders.move": undefined,
  "lectures.delete": deletion(1),
  "lectures.deleteAll": deletion(3),
  "folders.delete": deletion(1),
  "trash.restore": { lectures: 1, folders: 0 },
};

/** The server answers the next call of `procedure` when the result is settled. */
function holdAnswer(procedure: keyof typeof succeeds) {
  const answer = Promise.withResolvers<unknown>();
  answers[procedure] = [answer.promise];
  return answer;
}

function openLecture(id: string) {
  const lecture = { title: "", titleSource: "person", status: "completed", state: "stored" };
  recording.view.set(recordingView({ lecture: { ...lecture, id } as never }));
}

const everything = lecturePagesQuery({}).queryKey;
const loose = lecturePagesQuery({ folderId: null }).queryKey;
const inB = lecturePagesQuery({ folderId: "b" }).queryKey;

const listLectures = (key: typeof everything) =>
  queries.getQueryData(key)?.pages.flatMap(({ items }) => items) ?? [];
const shown = (key: typeof everything) => listLectures(key).map(({ title }) => title);
const tree = () => queries.getQueryData<FolderList>(queryKeys.tree);
const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;
const failed = (description: string) => [{ kind: "failure", title: "Error", description }];

beforeEach(() => {
  answers = {};
  sent = [];
  const procedures = Object.entries(succeeds).map(([name, success]) => [
    name,
    (input: unknown) => {
      sent.push([name, input]);
      return answers[name]?.length ? answers[name].shift() : success;
    },
  ]);
  fakeServer({
    ...Object.fromEntries(procedures),
    "lectures.item": ({ id }: { id: string }) => lecture(id, "b"),
  });
  recording = holdRecording();
  recording.reset.mockImplementation(async () => {
    recording.view.set(recordingView());
  });
  queries.clear();
  const one = lecture("one", null, { minute: 1 });
  const two = lecture("two", null, { minute: 2 });
  const three = lecture("three", "b", { minute: 3 });
  for (const [key, items] of [
    [everything, [three, two, one]],
    [loose, [two, one]],
    [inB, [three]],
  ] as const)
    queries.setQueryData(key, {
      pages: [{ items: [...items], nextCursor: null, total: items.length }],
      pageParams: [null],
    });
  queries.setQueryData(
    queryKeys.tree,
    list([folder("a"), folder("b", "a", { lectures: 1 }), folder("c")], 2),
  );
});

const findLecture = () => listLectures(everything).find(({ id }) => id === "one");
const findFolder = () => tree()?.folders.find(({ id }) => id === "b");

interface FieldCase {
  field: string;
  change: (id: string, value: never) => Promise<boolean>;
  procedure: keyof typeof succeeds;
  id: string;
  read: () => string | null | undefined;
  values: readonly [string | null, string];
  /** Texts of the toasts. */
  done: string;
  failure: string;
}

describe.each<FieldCase>([
  {
    field: "a lecture's name",
    change: renameLecture,
    procedure: "lectures.rename",
    id: "one",
    read: () => findLecture()?.title,
    values: ["Light", "Heat"],
    done: "Lecture Renamed",
    failure: "Failed to rename lecture",
  },
  {
    field: "a lecture's folder",
    change: moveLecture,
    procedure: "lectures.move",
    id: "one",
    read: () => findLecture()?.folderId,
    values: ["a", "b"],
    done: "Lecture Moved",
    failure: "Failed to move lecture",
  },
  {
    field: "a folder's name",
    change: renameFolder,
    procedure: "folders.rename",
    id: "b",
    read: () => findFolder()?.name,
    values: ["Light", "Heat"],
    done: "Folder Updated",
    failure: "Failed to update folder",
  },
  {
    field: "a folder's place",
    change: moveFolder,
    procedure: "folders.move",
    id: "b",
    read: () => findFolder()?.parentFolderId,
    values: [null, "c"],
    done: "Folder Updated",
    failure: "Failed to update folder",
  },
])("$field", ({ change: changeField, procedure, id, read, values, done, failure }) => {
  const change = changeField as (id: string, value: string | null) => Promise<boolean>;
  const [first, second] = values;

  test("changes at once, and everything is refetched after the server's answer", async () => {
    const answer = holdAnswer(procedure);
    const changed = change(id, first);
    await waitFor(() => expect(read()).toBe(first));
    expect(stale(queryKeys.tree)).toBe(false);
    expect(toasts).toEqual([]);
    answer.resolve(undefined);
    expect(await changed).toBe(true);
    expect(toasts).toEqual([{ kind: "success", title: done }]);
    await waitFor(() => expect([everything, queryKeys.tree].map(stale)).toEqual([true, true]));
    // It has that value already.
    expect(await change(id, first)).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ["the later one's value after the earlier one has failed", [refusal, undefined], 1],
    ["the earlier one's value after the later one has failed", [undefined, refusal], 0],
    ["the server's value after both have failed", [refusal, refusal], null],
  ])("has of two changes %s", async (_result, [ofFirst, ofSecond], index) => {
    const initial = read();
    const answer = holdAnswer(procedure);
    const changes = [change(id, first)];
    await waitFor(() => expect(read()).toBe(first));
    changes.push(change(id, second));
    await waitFor(() => expect(read()).toBe(second));
    // In their order, one after the other.
    expect(sent).toHaveLength(1);
    answers[procedure] = [ofSecond];
    answer.resolve(ofFirst);
    expect(await Promise.all(changes)).toEqual([ofFirst === undefined, ofSecond === undefined]);
    expect(read()).toBe(index === null ? initial : values[index]);
    const texts = toasts.map(({ description, title }) => description ?? title);
    expect(texts).toEqual([ofFirst, ofSecond].map((one) => (one ? failure : done)));
  });
});

describe("a lecture", () => {
  test("is renamed and moved in every list, and the recording is notified of its name", async () => {
    expect(await renameLecture("one", "Light")).toBe(true);
    expect(recording.onLectureRenamed.mock.calls).toEqual([["one", "Light"]]);
    // Another tab has renamed it since.
    updateCachedLecture("one", { title: "Waves" });
    answers["lectures.rename"] = [refusal];
    expect(await renameLecture("one", "Heat")).toBe(false);
    expect(recording.onLectureRenamed).toHaveBeenCalledOnce();
    expect([shown(everything), shown(loose)]).toEqual([
      ["Lecture three", "Lecture two", "Waves"],
      ["Lecture two", "Waves"],
    ]);
    expect(await moveLecture("one", "b")).toBe(true);
    expect([shown(loose), shown(inB)]).toEqual([["Lecture two"], ["Lecture three", "Waves"]]);
  });

  test("is a draft without a name again when it could not be renamed", async () => {
    const title = "Nov 20, 2026 9:01 AM";
    updateCachedLecture("one", { title, titleSource: "date" });
    answers["lectures.rename"] = [refusal];
    expect(await renameLecture("one", "Heat")).toBe(false);
    expect(findLecture()).toMatchObject({ title, titleSource: "date" });
  });

  test("closes the recording and is removed after the server's confirmation", async () => {
    openLecture("one");
    const answer = holdAnswer("lectures.delete");
    const removed = deleteLecture("one");
    await waitFor(() => expect(sent).toEqual([["lectures.delete", { id: "one" }]]));
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(shown(loose)).toEqual(["Lecture two", "Lecture one"]);
    answer.resolve(deletion(1));
    expect(await removed).toBe(true);
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("one");
    expect(shown(loose)).toEqual(["Lecture two"]);
    await waitFor(() => expect(stale(queryKeys.tree)).toBe(true));
    expect(toasts).toMatchObject([
      {
        kind: "success",
        title: "Lecture Deleted",
        action: { label: "Undo" },
        description: "You can restore it from the trash for 30 days.",
      },
    ]);
    toasts[0]?.action?.run();
    await waitFor(() =>
      expect(toasts[1]).toMatchObject({ title: "Restored", description: "1 lecture" }),
    );
    expect(sent[1]).toEqual(["trash.restore", { id: "deletion" }]);
  });

  test("is reopened when it could not be deleted", async () => {
    openLecture("one");
    answers["lectures.delete"] = [refusal];
    expect(await deleteLecture("one")).toBe(false);
    expect(recording.load).toHaveBeenCalledWith("one");
    expect(recording.onLectureDeleted).not.toHaveBeenCalled();
    expect(toasts).toEqual(failed("Failed to delete lecture"));
  });

  test("is deleted with all others", async () => {
    openLecture("three");
    expect(await deleteAllLectures()).toBe(true);
    expect([shown(everything), shown(inB)]).toEqual([[], []]);
    expect(tree()?.folders).toHaveLength(3);
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("three");
    expect(toasts).toMatchObject([{ kind: "success", title: "All Lectures Deleted" }]);
    answers["lectures.deleteAll"] = [refusal];
    expect(await deleteAllLectures()).toBe(false);
    expect(toasts.slice(1)).toEqual(failed("Failed to delete all lectures"));
  });
});

describe("a folder", () => {
  test("is shown at once, and removed after a failure", async () => {
    const answer = holdAnswer("folders.create");
    const id = createFolder("a", "Optics");
    await waitFor(() =>
      expect(tree()?.folders.at(-1)).toMatchObject({ id, name: "Optics", parentFolderId: "a" }),
    );
    answer.resolve(new Refusal("folders_full"));
    await waitFor(() => expect(tree()?.folders).toHaveLength(3));
    expect(toasts).toEqual(failed("You have reached the maximum number of folders."));
    expect(sent).toEqual([["folders.create", { id, name: "Optics", parentFolderId: "a" }]]);
  });

  test("brings the terms of its new place to open lectures when it was moved", async () => {
    const key = getQueryKey(api.glossary.get, { folderId: "b" }, "query");
    const { lecture } = recording.openLecture(storedLecture("one"));
    const refreshTerms = vi.spyOn(lecture, "refreshTerms");
    queries.setQueryData(key, { folderIds: ["b", "a", null], terms: [] });
    answers["folders.move"] = [refusal];
    expect(await moveFolder("b", "c")).toBe(false);
    expect(refreshTerms).not.toHaveBeenCalled();
    expect(await moveFolder("b", "c")).toBe(true);
    await waitFor(() => expect(refreshTerms).toHaveBeenCalledOnce());
    expect(stale(key)).toBe(true);
  });

  test("is deleted with its contents after closing an open lecture in it", async () => {
    openLecture("three");
    expect(await deleteFolder("a")).toBe(true);
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(recording.onLectureDeleted).toHaveBeenCalledWith("three");
    expect(tree()?.folders.map(({ id }) => id)).toEqual(["c"]);
    expect([shown(everything), shown(inB)]).toEqual([["Lecture two", "Lecture one"], []]);
    expect(toasts).toMatchObject([
      { kind: "success", title: "Folder Deleted", description: "1 lecture deleted" },
    ]);
  });

  test("keeps an open lecture outside of it open, and finds one that no list has", async () => {
    openLecture("one");
    expect(await deleteFolder("a")).toBe(true);
    expect(recording.reset).not.toHaveBeenCalled();
    queries.setQueryData(queryKeys.tree, list([folder("b")]));
    openLecture("unknown");
    answers["folders.delete"] = [refusal];
    expect(await deleteFolder("b")).toBe(false);
    expect(recording.reset).toHaveBeenCalledOnce();
    expect(recording.load).toHaveBeenCalledWith("unknown");
    expect(toasts.slice(1)).toEqual(failed("Failed to delete folder"));
  });
});

interface Rename {
  change: typeof renameFolder;
  key: readonly unknown[];
  /** The response. */
  older: unknown;
}

describe("a response in flight", () => {
  test.each<Pick<FieldCase, "procedure" | "id" | "read"> & Rename>([
    {
      key: queryKeys.tree,
      older: list([folder("a")]),
      procedure: "folders.rename",
      change: renameFolder,
      id: "a",
      read: () => tree()?.folders[0]?.name,
    },
    {
      key: queryKeys.item("one"),
      older: lecture("one"),
      procedure: "lectures.rename",
      change: renameLecture,
      id: "one",
      read: () => queries.getQueryData<LectureListItem>(queryKeys.item("one"))?.title,
    },
  ])("does not undo $procedure", async ({ key, older, procedure, change, id, read }) => {
    const response = Promise.withResolvers<unknown>();
    queries.setQueryData(queryKeys.item("one"), lecture("one"));
    const refetch = queries
      .fetchQuery({ queryKey: key, queryFn: () => response.promise })
      .catch(() => {});
    const answer = holdAnswer(procedure);
    const renamed = change(id, "Waves");
    await waitFor(() => expect(read()).toBe("Waves"));
    response.resolve(older);
    await refetch;
    expect(read()).toBe("Waves");
    answer.resolve(undefined);
    expect(await renamed).toBe(true);
  });

  test("to the first request of a list does not count as new after a change", async () => {
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
});
