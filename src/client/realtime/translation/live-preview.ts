import type { Clock } from "#client/lib/clock.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { previewIntervalMs, previewMinLength, translateTextMaxLength } from "#shared/limits.ts";
import { untranslatableFragment } from "#shared/words.ts";
import { translationTimeoutMs } from "./translation-queue.ts";

/** Shown when the preview could not be translated. */
export const previewFailed = "...";

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  show(preview: string): void;
}

/** Translates the live line, one request at a time. An answer for a line that became a row is dropped. */
export class LivePreview {
  #text = "";
  #language: TargetLanguage = "none";
  #requestedText = "";
  #requestedAt = Number.NEGATIVE_INFINITY;
  #running: AbortController | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(private readonly deps: Deps) {}

  update(text: string, language: TargetLanguage): void {
    if (language !== this.#language) this.clear();
    this.#language = language;
    this.#text = text.trim();
    if (language === "none" || this.#text.length < previewMinLength) this.#unschedule();
    else this.#schedule(language);
  }

  /** Drops the line and the running request: the line became a row. */
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
    const since = this.deps.clock.now() - this.#requestedAt;
    // Negative when the system clock was set back.
    const delay = since < 0 ? previewIntervalMs : previewIntervalMs - since;
    if (delay <= 0) {
      void this.#request(language);
      return;
    }
    this.#cancelTimer = this.deps.clock.after(delay, () => {
      this.#cancelTimer = null;
      void this.#request(language);
    });
  }

  #unschedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  async #request(language: Exclude<TargetLanguage, "none">): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#requestedText = this.#text;
    this.#requestedAt = this.deps.clock.now();
    const text = this.#text.slice(-translateTextMaxLength);
    const preview = await this.#translate(text, language, controller.signal);
    if (this.#running !== controller) return;
    this.#running = null;
    this.deps.show(preview);
    if (this.#text.length >= previewMinLength) this.#schedule(language);
  }

  async #translate(
    text: string,
    targetLanguage: Exclude<TargetLanguage, "none">,
    signal: AbortSignal,
  ): Promise<string> {
    const { clock, translate } = this.deps;
    const input = { text, targetLanguage, context: "", wordContext: "" };
    const call = (callSignal: AbortSignal) => translate(input, callSignal);
    const answer = await withTimeout(clock, translationTimeoutMs, call, signal).catch(() => null);
    return answer === null || answer === untranslatableFragment ? previewFailed : answer;
  }
}
