import type { AnswerBudget } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { LecturePage } from "#shared/lecture.ts";
import { type LectureKey, readLecture } from "./queries.ts";

/** Text of one page, in bytes of UTF-8: three hours of speech in any language. */
const pageBytes = 768 * 1024;
/** Smallest page, if the other calls of the request have used up the budget. */
const minPageBytes = 64 * 1024;
/** With joined texts, a page contains each sentence three times. */
const copiesWithTexts = 3;

/**
 * Reads a page of the lecture, beginning at position `from`.
 *
 * @throws AppError `not_found`
 */
export async function readLecturePage(
  db: Database,
  { texts, budget, ...key }: LectureKey & { from: number; texts: boolean; budget: AnswerBudget },
): Promise<LecturePage> {
  const copies = texts ? copiesWithTexts : 1;
  const maxBytes = budget.reserve(pageBytes * copies, minPageBytes * copies) / copies;
  const page = await readLecture(db, { ...key, maxBytes: Math.floor(maxBytes) });
  if (!page) throw new AppError("not_found");
  return texts ? { ...page, ...joinTexts(page) } : page;
}

/** The original and the translated text, joined from `entries`; the stored texts if there are no entries. */
function joinTexts({ entries, originalText, translatedText }: LecturePage) {
  const isAligned = entries.length > 0;
  const join = (texts: string[]) => texts.join("\n");
  return {
    originalText: isAligned ? join(entries.map(({ original }) => original)) : originalText,
    translatedText: isAligned ? join(entries.map(({ translated }) => translated)) : translatedText,
    combinedContent: entries.map(({ original, translated, speaker }) => ({
      original,
      translated,
      ...(speaker === null ? {} : { speaker }),
    })),
  };
}
