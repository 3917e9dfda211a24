import type { Lecture } from "#shared/lecture.ts";
import { trpc } from "./trpc.ts";

type Options = NonNullable<Parameters<typeof trpc.lectures.get.query>[1]>;

/** The whole lecture `id`: its pages one after the other. Rejects as the calls do. */
export async function fetchLecture(id: string, options: Options = {}): Promise<Lecture> {
  const page = (cursor: number | null) =>
    trpc.lectures.get.query({ id, cursor, texts: false }, options);
  const { nextCursor, ...lecture } = await page(null);
  const entries = [lecture.entries];
  for (let cursor = nextCursor; typeof cursor === "number"; ) {
    const next = await page(cursor);
    entries.push(next.entries);
    cursor = next.nextCursor;
  }
  return { ...lecture, entries: entries.flat() };
}
