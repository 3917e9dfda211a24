import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { toSpokenLanguage } from "#shared/languages.ts";
import type { RelayTranslation } from "#shared/relay.ts";
import { findSentences } from "#shared/sentences.ts";

/** Two streams give the same word times that differ by less. */
const toleranceMs = 500;
/** Translations that are kept for rows that do not exist yet. */
const waitingMax = 40;

type Span = Pick<RelayTranslation, "start_ms" | "end_ms">;
type RowSpan = Pick<TranscriptRow, "startMs" | "endMs">;

/** Of a stream that has heard only a part of the sentence, the translation is one of that part. */
const isSameSentence = ({ start_ms, end_ms }: Span, { startMs, endMs }: RowSpan): boolean =>
  Math.abs(start_ms - startMs) <= toleranceMs &&
  Math.abs(end_ms - endMs) <= toleranceMs &&
  countShared({ start_ms, end_ms }, { startMs, endMs }) >= 0;

const countShared = ({ start_ms, end_ms }: Span, { startMs, endMs }: RowSpan): number =>
  Math.min(end_ms, endMs) - Math.max(start_ms, startMs);

/** Finds the row of a translation from the stream of words, or the translation of a row, by their times. */
export class StreamTranslations {
  /** Those without a row, oldest first. */
  #waiting: RelayTranslation[] = [];

  /**
   * The row of `translation`, or several where the page has ended sentences that the room has not. Without one it is kept
   * for the row that comes.
   */
  findRows<Row extends RowSpan>(translation: RelayTranslation, rows: readonly Row[]): Row[] {
    this.#waiting = this.#waiting.filter(({ start_ms }) => start_ms !== translation.start_ms);
    const inside = rows
      .filter((row) => {
        const sharedMs = countShared(translation, row);
        // A row that was imported without times has no length.
        return sharedMs > 0 && sharedMs >= (row.endMs - row.startMs) / 2;
      })
      .toSorted((a, b) => a.startMs - b.startMs);
    const [first] = inside;
    const last = inside.at(-1);
    if (first && last) {
      const { startMs } = first;
      if (isSameSentence(translation, { startMs, endMs: last.endMs })) return inside;
    }
    this.#waiting = [...this.#waiting, translation].slice(-waitingMax);
    return [];
  }

  /** The translation that has come before `row`. */
  takeFor(row: RowSpan): RelayTranslation | undefined {
    const found = this.#waiting
      .filter((one) => isSameSentence(one, row))
      .toSorted((a, b) => countShared(b, row) - countShared(a, row))[0];
    if (found !== undefined) this.#waiting = this.#waiting.filter((one) => one !== found);
    return found;
  }
}

/** What each of `rows` gets of `translation`: its sentences in order, if they are as many; otherwise nothing is known. */
export function shareTranslation<Row>(
  translation: RelayTranslation,
  rows: readonly Row[],
): [Row, RelayTranslation][] {
  if (rows.length <= 1) return rows.map((row) => [row, translation]);
  if (translation.state === "interim") return [];
  const { text, language } = translation;
  const sentences = findSentences(text, toSpokenLanguage(language));
  const isShared = sentences.length === rows.length;
  return rows.map((row, index) => {
    const { from = 0, to = 0 } = isShared ? (sentences[index] ?? {}) : {};
    const state = isShared ? translation.state : "doubtful";
    return [row, { ...translation, text: text.slice(from, to), state }];
  });
}

/** Whether `translation` is of the sentence that is being spoken since `startMs`. */
export const isOfLiveLine = ({ start_ms }: Span, { startMs }: Pick<RowSpan, "startMs">): boolean =>
  Math.abs(start_ms - startMs) <= toleranceMs;
