import type { Database } from "#server/database.ts";
import { readLectureGlossary } from "#server/glossary/queries.ts";
import { TermFinder } from "#shared/find-terms.ts";
import { resolveTerms, type TermPair } from "#shared/glossary.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";

/** So long terms that were read count as current: a recorded lecture is read every few seconds. */
const currentMs = 60_000;

/** The terms of a shared lecture's owner, for the translations that its readers get. */
export class OwnersTerms {
  #finder: TermFinder | null = null;
  #readAt = Number.NEGATIVE_INFINITY;

  /** Reads the terms, at most once a minute. After a failure those from before stay. @throws what the database throws */
  async update(
    db: Database,
    lecture: { userId: string; lectureId: string },
    now: number,
  ): Promise<void> {
    if (now < this.#readAt + currentMs) return;
    this.#readAt = now;
    this.#finder = new TermFinder(resolveTerms(await readLectureGlossary(db, lecture)));
  }

  /** The agreed translations of terms in `text`. */
  find(text: TranslationPair & { text: string }): TermPair[] {
    return this.#finder?.find(text) ?? [];
  }
}
