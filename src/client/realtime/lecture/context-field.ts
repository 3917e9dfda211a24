import type { Log } from "#client/realtime/platform/ports.ts";
import { ApiError } from "#client/realtime/server-api.ts";
import type { SessionView } from "#client/realtime/types.ts";
import { contextMaxLength } from "#shared/limits.ts";

/** From so many words on there is enough to tell what a lecture is about. */
const contextWords = 100;
/** A generation that failed in passing is asked for again this many words later, a few times. */
const triesMax = 3;

interface Deps {
  /** Has a context made of the English so far. @throws ApiError */
  generate(signal: AbortSignal): Promise<string>;
  log: Log;
  onSave(text: string): void;
  onChange(): void;
}

/** What a lecture is about: written by a person, or generated once when there is none at 100 words. */
export class ContextField {
  readonly #deps: Deps;
  #text: string;
  /** A person has written here: nothing generated takes its place any more. */
  #isEditedByHand = false;
  #attempts = 0;
  #generation: AbortController | null = null;

  constructor(deps: Deps, text: string) {
    this.#deps = deps;
    this.#text = text;
  }

  /** As it was typed. */
  get text(): string {
    return this.#text;
  }

  /** As the recogniser and the translator are told. */
  get trimmedText(): string {
    return this.#text.trim();
  }

  get state(): SessionView["contextState"] {
    if (this.#generation !== null) return "generating";
    return this.trimmedText === "" ? "empty" : "set";
  }

  set(text: string): void {
    const next = text.replaceAll("\0", "").slice(0, contextMaxLength);
    this.#isEditedByHand = true;
    this.#cancelGeneration();
    if (next === this.#text) return;
    this.#text = next;
    this.#deps.onSave(this.trimmedText);
    this.#deps.onChange();
  }

  onWordCount(words: number): void {
    if (this.#isEditedByHand || this.#generation !== null || this.trimmedText !== "") return;
    if (this.#attempts >= triesMax || words < contextWords * (this.#attempts + 1)) return;
    void this.#generate();
  }

  dispose(): void {
    this.#isEditedByHand = true;
    this.#cancelGeneration();
  }

  async #generate(): Promise<void> {
    const running = new AbortController();
    this.#generation = running;
    this.#attempts += 1;
    this.#deps.onChange();
    let text = "";
    try {
      text = await this.#deps.generate(running.signal);
    } catch (error) {
      const passing = error instanceof ApiError && error.retryable;
      if (!passing) this.#attempts = triesMax;
      if (this.#generation === running) this.#deps.log.warn("context not generated", { passing });
    }
    if (this.#generation !== running) return;
    this.#generation = null;
    this.#text = text.replaceAll("\0", "").trim().slice(0, contextMaxLength);
    if (this.#text !== "") this.#deps.onSave(this.#text);
    this.#deps.onChange();
  }

  #cancelGeneration(): void {
    if (this.#generation === null) return;
    this.#generation.abort();
    this.#generation = null;
    this.#deps.onChange();
  }
}
