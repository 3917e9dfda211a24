import type { LectureView, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { emptyLectureView, ReadOnlyLecture } from "#client/lecture/read-only-lecture.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { findSampleLanguage, type TargetLanguage } from "#shared/languages.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";

/** About 2.5 words per second, as a lecturer speaks. */
const wordBaseMs = 180;
const letterMs = 45;
/** From the end of a sentence to its translation, and from there to the next sentence. */
const translationMs = 450;
const pauseMs = 400;
/** A preview is this many words old. */
const previewWords = 3;

const sentences = sampleOpening.map(({ speaker, ...sentence }) => ({
  ...sentence,
  speaker: String(speaker + 1),
  words: sentence.original.split(" "),
}));

type Sentence = (typeof sentences)[number];
type SampleTranslation = Pick<TranscriptRow, "translated" | "translation" | "translatedInto">;

/**
 * A lecture that plays by itself: the written opening of the sample lecture, word by word, with its written
 * translations. It makes no sound and no server call, and nothing of it is stored or can be changed.
 */
export class SamplePlayer extends ReadOnlyLecture {
  readonly view: Signal<LectureView>;
  readonly #unsubscribe: () => void;
  /** Index of the next word in the sentence that is being spoken, which is the next row. */
  #nextWord = 0;
  /** Start of the sentence and end of the last word, ms. */
  #startMs = 0;
  #clockMs = 0;
  readonly #timer: Timer;

  /** It follows the session's language, and calls `onLeave` when the session needs the page for its own lecture. */
  constructor(clock: Clock, session: Pick<RecordingSession, "view">, onLeave: () => void) {
    super();
    this.#timer = new Timer(clock);
    this.view = new Signal({
      ...emptyLectureView,
      saveState: "local",
      targetLanguage: toSampleTarget(session.view.get()),
    });
    this.#unsubscribe = session.view.subscribe(() => {
      const { status, busy } = session.view.get();
      if (status !== "ready" || busy !== null) onLeave();
      else this.#setLanguage(toSampleTarget(session.view.get()));
    });
  }

  get isFinished(): boolean {
    return this.#sentence === undefined;
  }

  /** Starts, or goes on after `pause`. */
  play(): void {
    if (this.#timer.isRunning) return;
    this.view.set({ ...this.view.get(), status: "recording" });
    this.#showNextWord();
  }

  pause(): void {
    this.#timer.cancel();
    this.view.set({ ...this.view.get(), status: "paused" });
  }

  dispose(): void {
    this.#timer.cancel();
    this.#unsubscribe();
  }

  /** The sentence that is being spoken becomes the next row; undefined after the last one. */
  get #sentence() {
    return sentences[this.transcript.length];
  }

  #showNextWord(): void {
    const sentence = this.#sentence;
    if (sentence === undefined) {
      this.pause();
      return;
    }
    this.#showLiveLine(sentence);
    const word = sentence.words[this.#nextWord];
    if (word === undefined) {
      this.#timer.start(translationMs, () => this.#endSentence(sentence));
      return;
    }
    const durationMs = wordBaseMs + letterMs * word.length;
    this.#timer.start(durationMs, () => {
      this.#clockMs += durationMs;
      this.#nextWord += 1;
      this.#showNextWord();
    });
  }

  #showLiveLine(sentence: Sentence): void {
    const { speaker, words } = sentence;
    const next = this.#nextWord;
    const interim = words[next] ?? "";
    const translatedWords = interim === "" ? next : next - (next % previewWords);
    this.transcript.setLive({
      finalText: words.slice(0, next).join(" "),
      interimText: next > 0 && interim !== "" ? ` ${interim}` : interim,
      speaker,
      startMs: this.#startMs,
      spokenIn: "en",
      preview: cutText(this.#translate(sentence).translated, translatedWords / words.length),
    });
  }

  #endSentence(sentence: Sentence): void {
    const { original, speaker } = sentence;
    const { length } = this.transcript;
    this.transcript.append([
      {
        id: String(length),
        ordinal: length,
        original,
        originalByHand: false,
        spokenIn: "en",
        ...this.#translate(sentence),
        translatedByHand: false,
        speaker,
        startMs: this.#startMs,
        endMs: this.#clockMs,
      },
    ]);
    this.transcript.setLive(null);
    this.#nextWord = 0;
    this.#clockMs += translationMs + pauseMs;
    this.#startMs = this.#clockMs;
    this.#timer.start(pauseMs, () => this.#showNextWord());
  }

  #translate({ translations }: Sentence): SampleTranslation {
    const language = findSampleLanguage(this.view.get().targetLanguage);
    return language
      ? { translated: translations[language], translation: "done", translatedInto: language }
      : { translated: "", translation: "none", translatedInto: null };
  }

  /** Unlike a lecture's rows, those of the sample take on a new language at once. */
  #setLanguage(language: TargetLanguage): void {
    if (language === this.view.get().targetLanguage) return;
    this.view.set({ ...this.view.get(), targetLanguage: language });
    if (this.transcript.live.get() !== null && this.#sentence) this.#showLiveLine(this.#sentence);
    const rows = sentences.slice(0, this.transcript.length);
    this.transcript.changeAll(
      new Map(rows.map((sentence, position) => [String(position), this.#translate(sentence)])),
    );
  }
}

/** The language that is translated into, if the sample has it. */
const toSampleTarget = ({ targetLanguage }: Pick<LectureView, "targetLanguage">): TargetLanguage =>
  findSampleLanguage(targetLanguage) ?? "none";

/** The first `share` of `text`, cut between words where the language writes spaces. */
function cutText(text: string, share: number): string {
  const end = Math.floor(text.length * share);
  if (share === 1 || !text.includes(" ")) return text.slice(0, end);
  return text.slice(0, Math.max(0, text.lastIndexOf(" ", end)));
}
