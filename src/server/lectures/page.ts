import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { LecturePage } from "#shared/lecture.ts";
import { type LectureKey, type LecturePart, readLecture } from "./queries.ts";

/** Text of one page, in bytes of UTF-8: three hours of speech, whatever they are translated into. */
const pageBytes = 768 * 1024;
/** What a page carries when the others of its request have used up what one may answer. */
const minPageBytes = 64 * 1024;
/** With the texts put together each sentence stands in a page three times. */
const copiesWithTexts = 3;

/** Text that the calls of one HTTP request may answer together, in bytes. The isolate has 128 MB. */
const requestBytes = 2.25 * 1024 * 1024;

/** Shares out what one HTTP request may answer among the calls of its batch. */
export class AnswerBudget {
  #left = requestBytes;

  /** @returns `wanted` bytes or what is left of the budget, but never fewer than `least`. */
  reserve(wanted: number, least: number): number {
    const given = Math.max(least, Math.min(wanted, this.#left));
    this.#left -= given;
    return given;
  }
}

/**
 * A page of the lecture from position `from` on.
 *
 * @throws AppError `not_found`
 */
export async function readLecturePage(
  db: Database,
  input: LectureKey & { from: number; texts: boolean; budget: AnswerBudget },
): Promise<LecturePage> {
  const { texts, budget, ...part } = input;
  const copies = texts ? copiesWithTexts : 1;
  const maxBytes = budget.reserve(pageBytes * copies, minPageBytes * copies) / copies;
  const read = await readLecture(db, { ...part, maxBytes: Math.floor(maxBytes) });
  if (!read) throw new AppError("not_found");
  const { nextPosition: nextCursor, ...lecture } = read;
  return { ...lecture, ...(texts ? joinTexts(lecture) : {}), nextCursor };
}

/** The texts of the specification, put together from `entries`; those that are stored where there are none. */
function joinTexts({ entries, originalText, translatedText }: Omit<LecturePart, "nextPosition">) {
  const isAligned = entries.length > 0;
  return {
    originalText: isAligned ? entries.map(({ english }) => english).join("\n") : originalText,
    translatedText: isAligned
      ? entries.map(({ translated }) => translated).join("\n")
      : translatedText,
    combinedContent: entries.map(({ english, translated, speaker }) => ({
      english,
      translated,
      ...(speaker === null ? {} : { speaker }),
    })),
  };
}
