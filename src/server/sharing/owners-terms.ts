import type { Database } from "#server/database.ts";
import {
  findAgreedTerms,
  type LectureTerms,
  readLectureTerms,
} from "#server/glossary/find-agreed-terms.ts";
import type { LectureOfUser } from "#server/glossary/queries.ts";
import type { TermPair } from "#shared/glossary.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";

/** So long a version that was read counts as current: a recorded lecture is read every few seconds. */
const currentMs = 60_000;

/** The terms of a shared lecture's owner, for the translations that its readers get. */
export class OwnersTerms {
  #terms: LectureTerms | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  /** The last search. */
  #last: Promise<unknown> = Promise.resolve();

  /** Looks for changes, at most once a minute. After a failure the terms from before stay. @throws what the database throws */
  async update(db: Database, lecture: LectureOfUser, now: number): Promise<void> {
    if (now < this.#readAt + currentMs) return;
    this.#readAt = now;
    const { userId, lectureId } = lecture;
    this.#terms = await readLectureTerms(db, { userId, lectureId });
  }

  /**
   * The agreed translations of terms in `text`. One text after the other, so that only the first one has the terms read.
   *
   * @throws what the database throws
   */
  async find(db: Database, text: TranslationPair & { text: string }): Promise<TermPair[]> {
    const terms = this.#terms;
    if (terms === null) return [];
    const found = this.#last.then(() => findAgreedTerms(db, terms, text));
    this.#last = found.catch(() => {});
    return found;
  }
}
