import type { SessionApi } from "#client/lecture/server-api.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { SpokenLanguage, TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import { previewIntervalMs, previewMinLength, translateTextMaxLength } from "#shared/limits.ts";
import { untranslatableFragment } from "#shared/words.ts";
import type { AnswerTimes } from "./answer-times.ts";

/** Shown when the preview could not be translated. */
export const previewFailed = "...";

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  show(preview: string): void;
  /** Told of each answer; previews are asked for while answers come in under a second. */
  times: AnswerTimes;
  /** A finished row waits for its translation, which comes first. */
  hasWaitingRows(): boolean;
}

/** Translates the live line, one request at a time. An answer for a line that became a row is dropped. */
export class LivePreview {
  #text = "";
  #source: SpokenLanguage = "en";
  #language: TargetLanguage = "none";
  #requestedText = "";
  #requestedAt = Number.NEGATIVE_INFINITY;
  #running: AbortController | null = null;
  readonly #timer: Timer;

  constructor(private readonly deps: Deps) {
    this.#timer = new Timer(deps.clock);
  }

  update(text: string, source: SpokenLanguage, language: TargetLanguage): void {
    if (language !== this.#language || source !== this.#source) this.clear();
    this.#source = source;
    this.#language = language;
    this.#text = text.trim();
    this.#schedule();
  }

  /** Drops the line and the running request: the line became a row. */
  clear(): void {
    this.#text = "";
    this.#requestedText = "";
    this.#timer.cancel();
    this.#running?.abort();
    this.#running = null;
  }

  #schedule(): void {
    this.#timer.cancel();
    const language = this.#language;
    if (language === "none" || this.#text.length < previewMinLength) return;
    if (this.#running !== null || this.#text === this.#requestedText) return;
    // Words come all the time: the next ones ask again.
    if (!this.deps.times.isQuick || this.deps.hasWaitingRows()) return;
    const since = this.deps.clock.now() - this.#requestedAt;
    // Negative when the system clock was set back.
    const delayMs = since < 0 ? previewIntervalMs : previewIntervalMs - since;
    if (delayMs <= 0) void this.#request(language);
    else this.#timer.start(delayMs, () => void this.#request(language));
  }

  async #request(targetLanguage: TranslationLanguage): Promise<void> {
    const { clock, translate, times, show } = this.deps;
    const controller = new AbortController();
    this.#running = controller;
    this.#requestedText = this.#text;
    this.#requestedAt = clock.now();
    const text = this.#text.slice(-translateTextMaxLength);
    const languages = { sourceLanguage: this.#source, targetLanguage };
    const input = { text, ...languages, context: "", wordContext: "" };
    const call = (signal: AbortSignal) => translate(input, signal);
    const answer = await withTimeout(clock, times.limitMs, call, controller.signal).catch(
      () => null,
    );
    if (answer !== null) times.add(clock.now() - this.#requestedAt, clock.now());
    if (this.#running !== controller) return;
    this.#running = null;
    show(answer === null || answer === untranslatableFragment ? previewFailed : answer);
    this.#schedule();
  }
}
