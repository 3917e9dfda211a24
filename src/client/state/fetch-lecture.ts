import type { Lecture, Mark } from "#shared/lecture.ts";
import { trpc } from "./trpc.ts";

type Options = NonNullable<Parameters<typeof trpc.lectures.get.query>[1]>;

/** Fetches the whole lecture `id` with its marks, page after page. Rejects as the calls do. */
export async function fetchLecture(id: string, options: Options = {}): Promise<Lecture> {
  const [lecture, marks] = await Promise.all([fetchRows(id, options), fetchMarks(id, options)]);
  return { ...lecture, marks };
}

async function fetchRows(id: string, options: Options): Promise<Omit<Lecture, "marks">> {
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

async function fetchMarks(lectureId: string, options: Options): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await trpc.marks.list.query({ lectureId, cursor }, options);
    marks.push(...page.items);
    cursor = page.nextCursor;
  }
  return marks;
}
