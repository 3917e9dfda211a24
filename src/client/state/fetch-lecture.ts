import type { Lecture } from "#shared/lecture.ts";
import { trpc } from "./trpc.ts";

type Options = NonNullable<Parameters<typeof trpc.lectures.get.query>[1]>;

/** Fetches the whole lecture `id`, one page after the other. Rejects as the calls do. */
export async function fetchLecture(id: string, options: Options = {}): Promise<Lecture> {
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
