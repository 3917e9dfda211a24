import type { StoredLectureName } from "#shared/lecture.ts";
import { lectureNamesMax } from "#shared/limits.ts";
import { trpc } from "./trpc.ts";

/**
 * The names of those of `userId`'s lectures `ids` that still exist.
 *
 * @throws when the server cannot be reached, or answers for somebody else: after a sign-in in another tab, who has
 * none of these lectures.
 */
export async function fetchLectureNames(
  ids: readonly string[],
  userId: string,
): Promise<StoredLectureName[]> {
  const names: StoredLectureName[] = [];
  for (let from = 0; from < ids.length; from += lectureNamesMax) {
    const part = ids.slice(from, from + lectureNamesMax);
    const answer = await trpc.lectures.names.query({ ids: part });
    if (answer.userId !== userId) throw new Error("answer for another user");
    names.push(...answer.lectures);
  }
  return names;
}
