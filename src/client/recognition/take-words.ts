import type { WordSource } from "#client/lecture/rows/transcript-writer.ts";
import { RepeatFilter } from "#client/recognition/overlap.ts";
import type { LectureSettings } from "#client/recognition/take-reader.ts";
import type { Take } from "#client/sound/takes/take.ts";
import type { RelayToken, RelayTokens, RelayTranslation } from "#shared/relay.ts";

/** The text of a lecture that the words of its takes come into. */
export interface TakesText {
  /**
   * Makes the takes the source of the lecture's words. Null without `isWanted`, by the person, while another source has
   * the transcript. `onReplaced`: another one has taken over.
   */
  openSource(isWanted: boolean, onReplaced: () => void): WordSource | null;
  settings(): Pick<LectureSettings, "diarization" | "lectureEndMs">;
}

/** Puts the words of a lecture's takes into its transcript, and records in each take how far they reach. */
export class TakeWords {
  /** Null while nothing is recognised. */
  #source: WordSource | null = null;
  /** The take of the last words and its offset then. */
  #last: { take: Take; offsetMs: number | null } | null = null;
  /** Of takes whose first words another engine has given. */
  readonly #filters = new WeakMap<Take, RepeatFilter>();

  constructor(
    private readonly text: TakesText,
    private readonly onReplaced: () => void,
  ) {}

  /** False while another source has the transcript; see `openSource`. */
  open(isWanted: boolean): boolean {
    this.#source ??= this.text.openSource(isWanted, () => {
      this.updateHeldMs();
      this.#last = null;
      this.onReplaced();
    });
    return this.#source !== null;
  }

  add(answer: RelayTokens, take: Take, isTranslated = false): void {
    const { translations = [] } = answer;
    const batch = { ...answer, translations: translations.map((one) => place(one, take)) };
    const { offsetMs, repeated, languages } = take;
    if (this.#last?.take !== take || this.#last.offsetMs !== offsetMs) {
      this.flush();
      // These words do not follow the previous ones on the lecture's clock, so they begin a sentence.
      this.#source?.endSentence();
      this.#last = { take, offsetMs };
    }
    const { diarization } = this.text.settings();
    const tokens = batch.tokens.filter((token) => !isRepeated(token, take));
    const filter = this.#getFilter(take);
    if (filter === undefined) {
      this.#source?.addTokens({ ...batch, tokens }, { diarization, languages, isTranslated });
      this.updateHeldMs();
      return;
    }
    const fresh = filter.apply({ ...batch, tokens }, repeated?.untilMs ?? 0);
    if (!filter.isHolding) take.endRepeated();
    this.#source?.addTokens(fresh, { diarization, languages, isTranslated });
    // The words on the page may reach further than the sound that is recognised again.
    take.updateHeldMs(batch.audio_final_proc_ms);
  }

  /** No sentence goes on with the words that follow. */
  endSentence(): void {
    this.#source?.endSentence();
  }

  /** Words of the last take have become final on the page. */
  updateHeldMs(): void {
    const take = this.#last?.take;
    if (take === undefined || this.#filters.get(take)?.isHolding === true) return;
    take.updateHeldMs(this.text.settings().lectureEndMs);
  }

  close(): void {
    this.flush();
    this.#source?.close();
    this.#source = null;
  }

  /** Adds words of a complete take that were held back, because no more come. */
  flush(): void {
    const take = this.#last?.take;
    if (take?.isComplete !== true) return;
    const tokens = this.#filters.get(take)?.end() ?? [];
    take.endRepeated();
    const endMs = tokens.at(-1)?.end_ms ?? 0;
    const times = { audio_final_proc_ms: endMs, audio_total_proc_ms: endMs };
    const about = { diarization: false, languages: take.languages };
    if (tokens.length > 0) this.#source?.addTokens({ type: "tokens", tokens, ...times }, about);
  }

  #getFilter(take: Take): RepeatFilter | undefined {
    const { repeated } = take;
    if (repeated !== null && !this.#filters.has(take))
      this.#filters.set(take, new RepeatFilter(repeated.text));
    return this.#filters.get(take);
  }
}

/** A sentence that was on the page when the room placed its take anew is translated once more, and stays where it was. */
function place(translation: RelayTranslation, take: Take): RelayTranslation {
  const { start_ms, end_ms } = translation;
  const middleMs = (start_ms + end_ms) / 2;
  const movedMs = take.findPlace(middleMs) - middleMs;
  return { ...translation, start_ms: start_ms + movedMs, end_ms: end_ms + movedMs };
}

/** The word was on the page when the room placed its take, or is another engine's. */
function isRepeated(token: RelayToken, { resumedAtMs, wordsUntilMs }: Take): boolean {
  if (token.start_ms === undefined || token.end_ms === undefined) return false;
  const middleMs = (token.start_ms + token.end_ms) / 2;
  return middleMs < resumedAtMs || middleMs >= (wordsUntilMs ?? Number.POSITIVE_INFINITY);
}
