import type { Clock } from "#client/realtime/platform/ports.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { previewIntervalMs, previewMinLength, translateTextMaxLength } from "#shared/limits.ts";
import { untranslatableFragment } from "#shared/sentinels.ts";
import { translationTimeoutMs } from "./translation-queue.ts";

const previewFailed = "...";

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  show(preview: string): void;
}

/** A translation of the live line, one at a time; an answer for a line that became a row is dropped. */
export class LivePreview {
  readonly #deps: Deps;
  #text = "";
  #language: TargetLanguage = "none";
  #requestedText = "";
  #requestedAt = Number.NEGATIVE_INFINITY;
  #running: AbortController | null = null;
  #cancelTimer: () => void = () => {};
  #isScheduled = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  update(text: string, language: TargetLanguage): void {
    if (language !== this.#language) this.clear();
    this.#language = language;
    this.#text = text.trim();
    if (language === "none" || this.#text.length < previewMinLength) this.#unschedule();
    else this.#schedule(language);
  }

  /** The line became a row, or is gone: forgets it, and any answer still to come. */
  clear(): void {
    this.#text = "";
    this.#requestedText = "";
    this.#unschedule();
    this.#running?.abort();
    this.#running = null;
  }

  #schedule(language: Exclude<TargetLanguage, "none">): void {
    this.#unschedule();
    if (this.#running !== null || this.#text === this.#requestedText) return;
    const since = this.#deps.clock.now() - this.#requestedAt;
    // A clock that was set back must not hold it up.
    const delay = since < 0 ? previewIntervalMs : previewIntervalMs - since;
    if (delay <= 0) {
      void this.#request(language);
      return;
    }
    this.#isScheduled = true;
    this.#cancelTimer = this.#deps.clock.after(delay, () => {
      this.#isScheduled = false;
      void this.#request(language);
    });
  }

  #unschedule(): void {
    if (this.#isScheduled) this.#cancelTimer();
    this.#isScheduled = false;
  }

  async #request(language: Exclude<TargetLanguage, "none">): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#requestedText = this.#text;
    this.#requestedAt = this.#deps.clock.now();
    const text = this.#text.slice(-translateTextMaxLength);
    const preview = await this.#translate(text, language, controller.signal);
    if (this.#running !== controller) return;
    this.#running = null;
    this.#deps.show(preview);
    if (this.#text.length >= previewMinLength) this.#schedule(language);
  }

  async #translate(
    text: string,
    targetLanguage: Exclude<TargetLanguage, "none">,
    signal: AbortSignal,
  ): Promise<string> {
    const { clock, translate } = this.#deps;
    const input = { text, targetLanguage, context: "", wordContext: "" };
    const ask = (own: AbortSignal) => translate(input, own);
    const answer = await withTimeout(clock, translationTimeoutMs, ask, signal).catch(() => null);
    return answer === null || answer === untranslatableFragment ? previewFailed : answer;
  }
}
