// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import type { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionView } from "#client/recorder/session-types.ts";
import { lectureQuery, queryKeys } from "#client/state/library/cache.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { isVisitorConfirmed, readableLectures } from "#client/state/offline.ts";
import { queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import { LectureStore } from "#client/state/stored/lecture-store.ts";
import { syncStoredLectures, watchQueries } from "#client/state/stored/stored-library.ts";
import { setVisitor, visitor } from "#client/state/visitor.ts";
import type { Lecture } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { lecture as item } from "#tests/unit/client/kit/folders.ts";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const store = new LectureStore();
const lecture = (id: string, more: Partial<Lecture> = {}): Lecture => ({
  ...item(id),
  summary: null,
  context: null,
  speakerNames: { "1": "Lin" },
  actionItems: [],
  originalText: "",
  translatedText: "",
  marks: [],
  takes: [],
  seq: 1,
  entries: [createEntry(`Text of ${id}`, 0, { id: `row of ${id}`, seq: 1, speaker: "1" })],
  ...more,
});

/** What the server has; null: it cannot be reached. */
let lectures: Map<string, Lecture> | null;
let namesFor = "lin";
/** After which versions a lecture was asked for. */
let asked: number[] = [];
const reach = () => {
  if (lectures === null) throw new TypeError("Failed to fetch");
  return lectures;
};
const listAll = (folderId?: string | null) => {
  const all = [...reach().values()];
  return all.filter((one) => folderId === undefined || one.folderId === folderId);
};

let stop = () => {};

beforeEach(async () => {
  lectures = new Map([lecture("a"), lecture("b")].map((one) => [one.id, one]));
  asked = [];
  fakeServer({
    "lectures.get": ({ id, since }: { id: string; since: number }) => {
      asked.push(since);
      const found = reach().get(id);
      return found ? { ...found, nextCursor: null } : new Refusal("not_found");
    },
    "marks.list": () => reach() && { items: [], nextCursor: null },
    "takes.list": () => reach() && { items: [], nextCursor: null },
    "lectures.list": ({ folderId }: { folderId?: string | null }) => ({
      items: listAll(folderId).map(({ id }) => item(id)),
      nextCursor: null,
      total: null,
    }),
    "lectures.names": ({ ids }: { ids: string[] }) => ({
      userId: namesFor,
      lectures: ids.flatMap((id) => (reach().has(id) ? { id, title: id, isDeleted: false } : [])),
    }),
  });
  namesFor = "lin";
  setVisitor(createUser("lin"));
  queryClient.setDefaultOptions({
    queries: { ...queryClient.getDefaultOptions().queries, retry: false },
  });
  stop = watchQueries(queryClient);
  await waitFor(async () => {
    await store.write("lin", { key: "claimed", lecture: null, text: "", storedAt: 0 });
    expect(await store.read("lin", "claimed")).not.toBeNull();
  });
});

afterEach(async () => {
  stop();
  isVisitorConfirmed.set(true);
  setVisitor({ kind: "anonymous" });
  queryClient.clear();
});

const open = (id: string, client: QueryClient = queryClient) =>
  client.fetchQuery({ ...lectureQuery(id), staleTime: 0 });
const list = (folderId?: string | null) =>
  queryClient.fetchInfiniteQuery(lecturePagesQuery(folderId === undefined ? {} : { folderId }));

const isStored = async (key: string, userId = "lin") =>
  (await store.list(userId)).some((entry) => entry.key === key);
const waitUntilStored = (key: string) =>
  waitFor(async () => expect(await isStored(key)).toBe(true));

/** A new page, without a network. */
function reload(): void {
  queryClient.clear();
  lectures = null;
  isVisitorConfirmed.set(false);
}

const shown = (id: string) => queryClient.getQueryState<Lecture>(queryKeys.lecture(id));

describe("a lecture that was opened", () => {
  it("is readable without a network after a reload, as of its time, and says that it is not new", async () => {
    const before = Date.now();
    await open("a");
    expect(readableLectures.get().has("a")).toBe(true);
    await waitUntilStored("lecture a");
    reload();
    await expect(open("a")).rejects.toThrow();
    expect(shown("a")).toMatchObject({ status: "error", data: lecture("a") });
    expect(shown("a")?.dataUpdatedAt).toBeGreaterThanOrEqual(before);
    await expect(open("b")).rejects.toThrow();
    expect(shown("b")?.data).toBeUndefined();
  });

  it("is not used if the version before has stored it, whose rows have no ids", async () => {
    const former = lecture("a");
    const entries = former.entries.map(({ id: _, seq: _seq, ordinal: _ordinal, ...row }) => row);
    const text = JSON.stringify({ ...former, entries });
    await store.write("lin", { key: "lecture a", storedAt: 1, lecture: item("a"), text });
    reload();
    await expect(open("a")).rejects.toThrow();
    expect(shown("a")?.data).toBeUndefined();
  });

  it.each([
    ["", 0],
    [", also after the device's clock was put back", 3_600_000],
  ])("is stored again when it is saved here%s", async (_, setBackMs) => {
    await open("a");
    await waitUntilStored("lecture a");
    const now = Date.now() - setBackMs;
    vi.useFakeTimers({ toFake: ["setTimeout", "Date"], now });
    try {
      queryClient.setQueryData(queryKeys.lecture("a"), lecture("a", { summary: "Mine." }));
      await vi.advanceTimersByTimeAsync(10_000);
      await waitFor(async () =>
        expect((await store.read("lin", "lecture a"))?.text).toContain("Mine."),
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it("may also be one that was recorded here, once it is saved", async () => {
    const { view } = holdRecording();
    const show = (change: Partial<SessionView>) =>
      view.set(recordingView({ lecture: { ...item("a"), title: "a" }, ...change }));
    show({});
    show({ status: "paused", saveState: "saving" });
    expect(queryClient.getQueryData(queryKeys.lecture("a"))).toBeUndefined();
    show({ status: "paused" });
    await waitUntilStored("lecture a");
    expect(shown("a")?.data).toEqual(lecture("a"));
    // A correction does not have all of it fetched again.
    show({ status: "paused", saveState: "unsaved" });
    show({ status: "paused" });
    await waitFor(() => expect(asked).toEqual([0, 1]));
    endRecordingSession();
  });

  it("is not shown when it is damaged or has another shape, and is fetched when there is a network", async () => {
    const stored = { key: "lecture a", lecture: item("a"), storedAt: 1 };
    const { takes: _none, ...older } = lecture("a");
    for (const text of ["{", "null", "[]", JSON.stringify(older)]) {
      await store.write("lin", { ...stored, text });
      reload();
      await expect(open("a")).rejects.toThrow();
      expect(shown("a")?.data).toBeUndefined();
      lectures = new Map([["a", lecture("a")]]);
      expect(await open("a")).toMatchObject({ id: "a" });
      isVisitorConfirmed.set(true);
      queryClient.clear();
    }
  });

  it("is forgotten when it was deleted, here or elsewhere", async () => {
    await open("a");
    await open("b");
    await waitUntilStored("lecture a");
    await waitUntilStored("lecture b");
    lectures?.delete("a");
    namesFor = "mei";
    await syncStoredLectures();
    expect(await isStored("lecture a")).toBe(true);
    namesFor = "lin";
    await syncStoredLectures();
    expect([await isStored("lecture a"), await isStored("lecture b")]).toEqual([false, true]);
    expect([...readableLectures.get()]).toEqual(["b"]);

    lectures?.delete("b");
    await expect(open("b")).rejects.toThrow();
    await waitFor(async () => expect(await isStored("lecture b")).toBe(false));
    expect([...readableLectures.get()]).toEqual([]);
  });
});

describe("the lists", () => {
  it("are shown without a network, a folder's by the list of all, with lectures on none of their pages", async () => {
    lectures?.set("c", lecture("c", { folderId: "f", createdAt: "2025-01-01T00:00:00.000Z" }));
    await open("c");
    await waitUntilStored("lecture c");
    lectures?.delete("c");
    await list();
    await waitUntilStored("lectures all");
    reload();
    await expect(list()).rejects.toThrow();
    await expect(list("f")).rejects.toThrow();
    await expect(list(null)).rejects.toThrow();
    const read = (folderId?: string | null) =>
      queryClient
        .getQueryData(lecturePagesQuery(folderId === undefined ? {} : { folderId }).queryKey)
        ?.pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(read()).toEqual(["b", "a", "c"]);
    expect(read("f")).toEqual(["c"]);
    expect(read(null)).toEqual(["b", "a"]);
  });

  it("have a lecture that is on none of their pages where its date puts it", async () => {
    const at = (day: number) => ({ createdAt: `2026-11-0${day}T00:00:00.000Z` });
    lectures?.set("new", lecture("new", at(9)));
    await open("new");
    await waitUntilStored("lecture new");
    const page = (id: string, day: number, nextCursor: string | null) => ({
      items: [item(id, null, at(day))],
      nextCursor,
      total: null,
    });
    queryClient.setQueryData(lecturePagesQuery({}).queryKey, {
      pages: [page("second", 8, "2"), page("third", 7, null)],
      pageParams: [null, "2"],
    });
    await waitUntilStored("lectures all");
    reload();
    await expect(list()).rejects.toThrow();
    const shown = queryClient.getQueryData(lecturePagesQuery({}).queryKey)?.pages;
    expect(shown?.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([
      "new",
      "second",
      "third",
    ]);
  });
});

it("stays when the same user is confirmed again, and when their address is", async () => {
  await open("a");
  await waitUntilStored("lecture a");
  setVisitor({ kind: "user", user: { emailVerified: true, email: "lin@example.edu", id: "lin" } });
  setVisitor(createUser("lin", false));
  await list();
  await waitUntilStored("lectures all");
  expect(await isStored("lecture a")).toBe(true);
});

describe("somebody else", () => {
  it("finds nothing after a sign-in in place of the user", async () => {
    await open("a");
    await waitUntilStored("lecture a");
    setVisitor(createUser("mei"));
    expect([...readableLectures.get()]).toEqual([]);
    await waitFor(async () => expect(await isStored("lecture a")).toBe(false));
    await waitFor(async () => {
      await store.write("mei", { key: "claimed", lecture: null, text: "", storedAt: 0 });
      expect(await isStored("claimed", "mei")).toBe(true);
    });
    reload();
    await expect(open("a")).rejects.toThrow();
    expect(shown("a")?.data).toBeUndefined();
  });

  it("finds nothing while the server has not said who is here", async () => {
    await open("a");
    await waitUntilStored("lecture a");
    // The browser knew somebody else last.
    isVisitorConfirmed.set(false);
    visitor.set(createUser("mei"));
    reload();
    await expect(open("a")).rejects.toThrow();
    expect(shown("a")?.data).toBeUndefined();
    expect(await isStored("lecture a")).toBe(true);
  });

  it.each([
    ["signed out", { kind: "anonymous" }],
    ["a guest", { kind: "guest" }],
    ["out of session", { kind: "anonymous", expired: true }],
  ] as const)("finds nothing once the user is %s", async (_what, next) => {
    await open("a");
    await waitUntilStored("lecture a");
    setVisitor(next);
    await waitFor(async () => expect(await store.list("lin")).toEqual([]));
    expect(await store.read("lin", "lecture a")).toBeNull();
  });
});

it("works as without where the browser stores nothing", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const write = vi
    .spyOn(LectureStore.prototype, "write")
    .mockRejectedValue(new DOMException("full", "QuotaExceededError"));
  const read = vi.spyOn(LectureStore.prototype, "read").mockRejectedValue(new Error("damaged"));
  try {
    expect(await open("a")).toMatchObject({ id: "a" });
    await waitFor(() => expect(warn).toHaveBeenCalled());
    reload();
    await expect(open("a")).rejects.toThrow();
    expect(shown("a")?.data).toBeUndefined();
  } finally {
    for (const spy of [warn, write, read]) spy.mockRestore();
  }
});
