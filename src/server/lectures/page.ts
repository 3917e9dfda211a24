import type { Context } from "#server/context.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import type { LecturePage } from "#shared/lecture.ts";
import { readLecture } from "./queries.ts";

/** Text of one page, in bytes of UTF-8: three hours of speech in any language. */
const pageBytes = 768 * 1024;
/** Smallest page, if the other calls of the request have used up the budget. */
const minPageBytes = 64 * 1024;
/** With joined texts, a page contains each sentence three times. */
const copiesWithTexts = 3;

/**
 * Text length of an answer, in UTF-16 units, that counts as one more call of the account. A lecture of 12 hours has
 * about 2 million, which leaves two thirds of a burst for other calls.
 */
const charactersPerCall = 128 * 1024;

/** Text length of rows, in UTF-16 units. */
export const countCharacters = (
  entries: readonly { original: string; translated: string }[],
): number =>
  entries.reduce((sum, { original, translated }) => sum + original.length + translated.length, 0);

/**
 * Reads a page of the caller's lecture, beginning at ordinal `from`. A long one counts as several calls.
 *
 * @throws AppError `not_found`
 */
export async function readLecturePage(
  {
    db,
    user,
    answerBudget,
    accountCalls,
    hasFormerRows,
  }: Pick<Context, "db" | "answerBudget" | "accountCalls" | "hasFormerRows"> & {
    user: SessionUser;
  },
  { texts, ...input }: { id: string; from: number; texts: boolean; since?: number | undefined },
): Promise<LecturePage> {
  const copies = texts ? copiesWithTexts : 1;
  const maxBytes = answerBudget.reserve(pageBytes * copies, minPageBytes * copies) / copies;
  const key = { userId: user.id, maxBytes: Math.floor(maxBytes) };
  const page = await readLecture(db, { ...input, ...key, hasRevisions: hasFormerRows });
  if (!page) throw new AppError("not_found");
  accountCalls.addCalls(user.id, Math.floor(countCharacters(page.entries) / charactersPerCall));
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
