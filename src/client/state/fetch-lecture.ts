import type { Lecture, Mark } from "#shared/lecture.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { trpc } from "./trpc.ts";

type Options = NonNullable<Parameters<typeof trpc.lectures.get.query>[1]>;

/**
 * Fetches the whole lecture `id` with its marks and takes, page after page, and the texts of its gaps, which the page
 * and files show. Rejects as the calls do.
 */
export async function fetchLecture(id: string, options: Options = {}): Promise<Lecture> {
  const [lecture, marks, takes] = await Promise.all([
    fetchRows(id, options),
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

async function fetchRows(id: string, options: Options): Promise<Omit<Lecture, "marks" | "takes">> {
  const fetchPage = (cursor: number | null) =>
    trpc.lectures.get.query({ id, cursor, texts: false }, options);
  const { nextCursor, ...lecture } = await fetchPage(null);
  const entries = [lecture.entries];
  for (let cursor = nextCursor; typeof cursor === "number"; ) {
    const next = await fetchPage(cursor);
    entries.push(next.entries);
    cursor = next.nextCursor;
  }
  return { ...lecture, entries: entries.flat() };
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
