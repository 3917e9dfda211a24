import { beforeEach, expect, test, vi } from "vitest";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { lecture as createItem } from "#tests/unit/client/kit/folders.ts";

type Page = { entries: TranscriptEntry[]; nextCursor: number | null; deletedIds?: string[] };
const getPage = vi.hoisted(() =>
  vi.fn<(input: { cursor: number | null; since: number }) => Page>(),
);
const list = vi.hoisted(() => ({ query: async () => ({ items: [], nextCursor: null }) }));
vi.mock("#client/state/trpc.ts", () => ({
  trpc: {
    lectures: { get: { query: async (input: never) => getPage(input) } },
    marks: { list },
    takes: { list },
  },
}));

const details = {
  ...createItem("one"),
  originalText: "",
  translatedText: "",
  summary: null,
  speakerNames: {},
  actionItems: [],
  context: null,
};
const page = (seq: number, entries: TranscriptEntry[], change: Partial<Page> = {}) => ({
  ...details,
  seq,
  entries,
  nextCursor: null,
  ...change,
});
const [one, two, three] = numberRows(
  ["One.", "Two.", "Three."].map((text, at) => createEntry(text, at * 1_000, { seq: 1 })),
) as [TranscriptEntry, TranscriptEntry, TranscriptEntry];
const known: Lecture = { ...page(4, [one, two, three]), marks: [], takes: [] };
const readTexts = ({ entries }: Lecture) => entries.map(({ original }) => original);

beforeEach(() => {
  getPage.mockReset();
});

test("puts the rows of all pages in their order", async () => {
  getPage.mockImplementation(({ cursor }) =>
    cursor === null ? page(1, [one, three], { nextCursor: 2 }) : page(1, [{ ...two, ordinal: 2 }]),
  );
  expect(readTexts(await fetchLecture("one"))).toEqual(["One.", "Two.", "Three."]);
  expect(getPage.mock.calls.map(([{ since }]) => since)).toEqual([0, 0]);
});

test("asks for what has changed since it was fetched, and keeps the rest", async () => {
  const late = createEntry("Late.", 1_500, { seq: 6, ordinal: 3 });
  getPage.mockReturnValue(
    page(6, [{ ...one, original: "Won.", seq: 5 }, late], { deletedIds: [three.id] }),
  );
  const lecture = await fetchLecture("one", {}, known);
  expect(getPage.mock.calls[0]?.[0]).toMatchObject({ since: 4 });
  expect(readTexts(lecture)).toEqual(["Won.", "Two.", "Late."]);
  expect(lecture.seq).toBe(6);
  expect("deletedIds" in lecture).toBe(false);
});

test("takes all rows for all if the server no longer knows what was deleted", async () => {
  getPage.mockReturnValue(page(9, [two]));
  expect(readTexts(await fetchLecture("one", {}, known))).toEqual(["Two."]);
});
