import type { Lecture, Mark, TranscriptEntry } from "#shared/lecture.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { compareRows } from "#shared/row-order.ts";
import { trpc } from "./trpc.ts";

type Options = NonNullable<Parameters<typeof trpc.lectures.get.query>[1]>;

/**
 * Fetches the lecture `id` with its marks and takes, page after page, and the texts of its gaps, which the page
 * and files show. Of the rows, only those that have changed since `known` was fetched. Rejects as the calls do.
 */
export async function fetchLecture(
  id: string,
  options: Options = {},
  known?: Lecture,
): Promise<Lecture> {
  const [lecture, marks, takes] = await Promise.all([
    fetchRows(id, options, known),
    fetchMarks(id, options),
    fetchTakes(id, options),
  ]);
  await loadGapMessages(takes);
  return { ...lecture, marks, takes };
}

/** Loads the texts of the gaps of `takes`, if there are any. */
export async function loadGapMessages(takes: readonly RecordedTake[]): Promise<void> {
  if (takes.some(({ gaps }) => gaps.length > 0))
    await (await import("#client/i18n/gaps/index.ts")).gapMessages.load();
}

async function fetchRows(
  id: string,
  options: Options,
  known?: Pick<Lecture, "entries" | "seq">,
): Promise<Omit<Lecture, "marks" | "takes">> {
  const since = known?.seq ?? 0;
  const fetchPage = (cursor: number | null) =>
    trpc.lectures.get.query({ id, cursor, since, texts: false }, options);
  const { nextCursor, deletedIds, ...lecture } = await fetchPage(null);
  const pages = [lecture.entries];
  for (let cursor = nextCursor; typeof cursor === "number"; ) {
    const next = await fetchPage(cursor);
    pages.push(next.entries);
    cursor = next.nextCursor;
  }
  return { ...lecture, entries: mergeEntries(pages.flat(), deletedIds, known?.entries) };
}

/** All rows, in order. `deletedIds` missing: `fetched` are all; otherwise those that have changed since `known`. */
function mergeEntries(
  fetched: readonly TranscriptEntry[],
  deletedIds: readonly string[] | undefined,
  known: readonly TranscriptEntry[] = [],
): TranscriptEntry[] {
  const rows = new Map<string, TranscriptEntry>();
  if (deletedIds) for (const row of known) rows.set(row.id, row);
  for (const id of deletedIds ?? []) rows.delete(id);
  for (const row of fetched) rows.set(row.id, row);
  return [...rows.values()].sort(compareRows);
}

const fetchMarks = (lectureId: string, options: Options): Promise<Mark[]> =>
  fetchAll((cursor) => trpc.marks.list.query({ lectureId, cursor }, options));

/** What became of a lecture's sound, in the order in which its takes began. */
export async function fetchTakes(
  lectureId: string,
  options: Options = {},
): Promise<RecordedTake[]> {
  const takes = await fetchAll((cursor) => trpc.takes.list.query({ lectureId, cursor }, options));
  return takes.toSorted((a, b) => a.startedAt - b.startedAt);
}

/** All items of a list, page after page. */
export async function fetchAll<T>(
  fetchPage: (cursor: string | null) => Promise<{ items: T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await fetchPage(cursor ?? null);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
