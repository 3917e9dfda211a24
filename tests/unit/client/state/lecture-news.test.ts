// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { catchUpWithLectures, followLectureNews } from "#client/state/lecture-news.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { pageId } from "#client/state/page-id.ts";
import { queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import type { SavedRows, SaveRowsInput, TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { storedLecture } from "#tests/unit/client/kit/folders.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { type StoredRows, saveRows } from "#tests/unit/client/recorder/kit/row-store.ts";

const server = vi.hoisted(() => ({
  rows: { entries: [], seq: 0, deletedSeqs: new Map() } as StoredRows,
  gets: 0,
  /** Called before an answer is sent. */
  beforeAnswer: async () => {},
  save: (_: SaveRowsInput): SavedRows => {
    throw new Error("not set");
  },
  get: async (_: { since: number }): Promise<object> => ({}),
}));
const storage = vi.hoisted(() => ({ syncs: 0 }));
vi.mock("#client/state/stored/stored-library.ts", () => ({
  syncStoredLectures: async () => {
    storage.syncs += 1;
  },
}));
const list = vi.hoisted(() => ({ query: async () => ({ items: [], nextCursor: null }) }));
vi.mock("#client/state/trpc.ts", () => ({
  onUnauthenticated: () => {},
  trpc: {
    lectures: {
      saveRows: { mutate: async (input: SaveRowsInput) => server.save(input) },
      get: { query: (input: { since: number }) => server.get(input) },
    },
    marks: { list },
    takes: { list },
  },
}));

const row = createEntry("Sells divide.", 1_000, { seq: 1 });
const stored = () => storedLecture("one", { entries: server.rows.entries, seq: server.rows.seq });
/** Another tab corrects the row. */
const correct = (original: string) => {
  const [entry] = server.rows.entries as [TranscriptEntry];
  saveRows(server.rows, { entries: [{ ...entry, original, originalByHand: true }], deleted: [] });
};
const news = { lectureId: "one", pageId: null };

beforeEach(() => {
  server.rows = { entries: [row], seq: 1, deletedSeqs: new Map() };
  server.gets = 0;
  server.beforeAnswer = async () => {};
  server.save = (input) => saveRows(server.rows, input);
  server.get = async ({ since }) => {
    server.gets += 1;
    const { entries, ...lecture } = stored();
    const changed = entries.filter(({ seq }) => seq > since);
    await server.beforeAnswer();
    return { ...lecture, entries: changed, deletedIds: [], nextCursor: null };
  };
});
afterEach(() => {
  endRecordingSession();
  queryClient.clear();
});

const open = () => {
  queryClient.setQueryData(queryKeys.lecture("one"), stored());
  return holdRecording().openLecture(stored()).lecture;
};
const readTexts = (lecture: ReturnType<typeof open>) =>
  lecture.transcript.rows().map(({ original }) => original);

test("an open lecture takes over what another tab has changed", async () => {
  const lecture = open();
  correct("Cells divide.");
  followLectureNews(news);
  await waitFor(() => expect(readTexts(lecture)).toEqual(["Cells divide."]));
  expect(queryClient.getQueryData(queryKeys.lecture("one"))).toMatchObject({ seq: 2 });
});

test("its own changes are no news, and a closed lecture is fetched when it is opened", async () => {
  open();
  followLectureNews({ ...news, pageId });
  endRecordingSession();
  followLectureNews(news);
  await waitFor(() =>
    expect(queryClient.getQueryState(queryKeys.lecture("one"))?.isInvalidated).toBe(true),
  );
  expect(server.gets).toBe(0);
});

test("a change during the answer is fetched too, and what was missed while there was no channel", async () => {
  const lecture = open();
  correct("Cell divide.");
  server.beforeAnswer = async () => {
    server.beforeAnswer = async () => {};
    correct("Cells divide.");
    followLectureNews(news);
  };
  followLectureNews(news);
  await waitFor(() => expect(readTexts(lecture)).toEqual(["Cells divide."]));
  expect(server.gets).toBe(2);
  correct("Cells divide!");
  catchUpWithLectures();
  await waitFor(() => expect(readTexts(lecture)).toEqual(["Cells divide!"]));
});

test("what is written here meanwhile stays, and both tabs have the same rows", async () => {
  const lecture = open();
  lecture.correctRow(0, { translated: "细胞分裂。" });
  correct("Cells divide.");
  followLectureNews(news);
  await waitFor(() =>
    expect(server.rows.entries).toMatchObject([
      { original: "Cells divide.", translated: "细胞分裂。" },
    ]),
  );
  await waitFor(() =>
    expect(lecture.transcript.rows()).toMatchObject([
      { original: "Cells divide.", translated: "细胞分裂。" },
    ]),
  );
});

test("copies of a lecture that is not shared any more are deleted, and only then", async () => {
  queryClient.setQueryData(queryKeys.lecture("one"), stored());
  followLectureNews(news);
  await waitFor(() =>
    expect(queryClient.getQueryState(queryKeys.lecture("one"))?.isInvalidated).toBe(true),
  );
  expect(storage.syncs).toBe(0);
  followLectureNews({ ...news, hasEnded: true });
  await waitFor(() => expect(storage.syncs).toBe(1));
  expect(queryClient.getQueryData(queryKeys.lecture("one"))).toBeUndefined();
});
