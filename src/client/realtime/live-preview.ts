import type { TargetLanguage } from "../../shared/languages.ts";
import {
  previewIntervalMs,
  previewMinLength,
  translateTextMaxLength,
} from "../../shared/limits.ts";
import { untranslatableFragment } from "../../shared/sentinels.ts";
import type { Clock } from "./ports.ts";
import type { SessionApi } from "./session-api.ts";
import { translationTimeoutMs } from "./translation-queue.ts";

const previewFailed = "...";

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  show(preview: string): void;
}

/**
 * A translation of the line that is being spoken: asked for at most every 3 s, from 5 characters on,
 * one at a time. An answer for a line that has become a row is dropped.
 */
export class LivePreview {
  readonly #deps: Deps;
  #text = "";
  #language: TargetLanguage = "none";
  #asked = "";
  #askedAt = Number.NEGATIVE_INFINITY;
  #running: AbortController | null = null;
  #cancelTimer: () => void = () => {};
  #timed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The live line now reads `text` and is to be shown in `language`. */
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
    this.#asked = "";
    this.#unschedule();
    this.#running?.abort();
    this.#running = null;
  }

  #schedule(language: Exclude<TargetLanguage, "none">): void {
    this.#unschedule();
    if (this.#running !== null || this.#text === this.#asked) return;
    const since = this.#deps.clock.now() - this.#askedAt;
    // A clock that was set back must not hold it up.
    const delay = since < 0 ? previewIntervalMs : previewIntervalMs - since;
    if (delay <= 0) {
      void this.#ask(language);
      return;
    }
    this.#timed = true;
    this.#cancelTimer = this.#deps.clock.after(delay, () => {
      this.#timed = false;
      void this.#ask(language);
    });
  }

  #unschedule(): void {
    if (this.#timed) this.#cancelTimer();
    this.#timed = false;
  }

  async #ask(language: Exclude<TargetLanguage, "none">): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#asked = this.#text;
    this.#askedAt = this.#deps.clock.now();
    const text = this.#text.slice(-translateTextMaxLength);
    const preview = await this.#translate(text, language, controller);
    if (this.#running !== controller) return;
    this.#running = null;
    this.#deps.show(preview);
    if (this.#text.length >= previewMinLength) this.#schedule(language);
  }

  async #translate(
    text: string,
    targetLanguage: Exclude<TargetLanguage, "none">,
    controller: AbortController,
  ): Promise<string> {
    let cancelTimer = () => {};
    const timedOut = new Promise<string>((resolve) => {
      cancelTimer = this.#deps.clock.after(translationTimeoutMs, () => {
        controller.abort();
        resolve(previewFailed);
      });
    });
    try {
      const input = { text, targetLanguage, context: "", wordContext: "" };
      const answer = await Promise.race([this.#deps.translate(input, controller.signal), timedOut]);
      return answer === untranslatableFragment ? previewFailed : answer;
    } catch {
      return previewFailed;
    } finally {
      cancelTimer();
    }
  }
}
