import { ApiError } from "#client/lib/call-server.ts";
import type { Log } from "#client/lib/log.ts";
import { truncateContext } from "#shared/context.ts";
import type { LectureView } from "./lecture-document.ts";

/** Words needed to generate a context and a title; after a retryable error, words until the next attempt. */
const contextWords = 100;
const attemptsMax = 3;

interface Deps {
  /** Generates a context and a title from the text so far. @throws ApiError */
  generate(signal: AbortSignal): Promise<{ context: string; title: string | null }>;
  /** Nobody has named the lecture yet. */
  isTitleMissing(): boolean;
  onTitle(title: string): void;
  log: Log;
  onSave(text: string): void;
  onChange(): void;
}

/**
 * What a lecture is about: written by the person, or generated once if there is none after 100 words. The same
 * call proposes a title, also for a lecture whose context the person wrote.
 */
export class ContextField {
  #text: string;
  /** The person has written here, so no context is generated any more. */
  #isEditedByHand = false;
  #attempts = 0;
  #generation: AbortController | null = null;

  constructor(
    private readonly deps: Deps,
    text: string,
  ) {
    this.#text = text;
  }

  /** As entered. */
  get text(): string {
    return this.#text;
  }

  /** As sent to the provider and the translator. */
  get trimmedText(): string {
    return this.#text.trim();
  }

  get state(): LectureView["contextState"] {
    if (this.#generation !== null && this.#isMissing) return "generating";
    return this.trimmedText === "" ? "empty" : "set";
  }

  get #isMissing(): boolean {
    return !this.#isEditedByHand && this.trimmedText === "";
  }

  set(text: string): void {
    const next = truncateContext(text.replaceAll("\0", ""));
    this.#isEditedByHand = true;
    this.#cancelGeneration();
    if (next === this.#text) return;
    this.#text = next;
    this.deps.onSave(this.trimmedText);
    this.deps.onChange();
  }

  /** Takes over the text that another tab or device has saved. */
  update(text: string): void {
    this.#text = text;
  }

  onWordCount(words: number): void {
    if (this.#generation !== null || !(this.#isMissing || this.deps.isTitleMissing())) return;
    if (this.#attempts >= attemptsMax || words < contextWords * (this.#attempts + 1)) return;
    void this.#generate();
  }

  dispose(): void {
    this.#attempts = attemptsMax;
    this.#cancelGeneration();
  }

  async #generate(): Promise<void> {
    const generation = new AbortController();
    this.#generation = generation;
    this.#attempts += 1;
    this.deps.onChange();
    let description: Awaited<ReturnType<Deps["generate"]>> | null = null;
    try {
      description = await this.deps.generate(generation.signal);
      this.#attempts = attemptsMax;
    } catch (error) {
      const isRetryable = error instanceof ApiError && error.retryable;
      if (!isRetryable) this.#attempts = attemptsMax;
      if (this.#generation === generation)
        this.deps.log.warn("context not generated", { retryable: isRetryable });
    }
    if (this.#generation !== generation) return;
    this.#generation = null;
    if (description !== null && this.#isMissing) {
      this.#text = truncateContext(description.context.replaceAll("\0", "").trim());
      if (this.#text !== "") this.deps.onSave(this.#text);
    }
    if (description?.title) this.deps.onTitle(description.title);
    this.deps.onChange();
  }

  #cancelGeneration(): void {
    if (this.#generation === null) return;
    this.#generation.abort();
    this.#generation = null;
    this.deps.onChange();
  }
}
