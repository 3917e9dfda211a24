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

  /** Looks for changes, at most once a minute. After a failure the terms from before stay. @throws what the database throws */
  async update(db: Database, lecture: LectureOfUser, now: number): Promise<void> {
    if (now < this.#readAt + currentMs) return;
    this.#readAt = now;
    const { userId, lectureId } = lecture;
    this.#terms = await readLectureTerms(db, { userId, lectureId });
  }

  /** The agreed translations of terms in `text`. @throws what the database throws */
  async find(db: Database, text: TranslationPair & { text: string }): Promise<TermPair[]> {
    return this.#terms === null ? [] : findAgreedTerms(db, this.#terms, text);
  }
}
