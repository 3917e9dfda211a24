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
  #edited = false;
  #tries = 0;
  #running: AbortController | null = null;

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
    if (this.#running !== null) return "generating";
    return this.trimmedText === "" ? "empty" : "set";
  }

  set(text: string): void {
    const next = text.replaceAll("\0", "").slice(0, contextMaxLength);
    this.#edited = true;
    this.#stop();
    if (next === this.#text) return;
    this.#text = next;
    this.#deps.onSave(this.trimmedText);
    this.#deps.onChange();
  }

  onWordCount(words: number): void {
    if (this.#edited || this.#running !== null || this.trimmedText !== "") return;
    if (this.#tries >= triesMax || words < contextWords * (this.#tries + 1)) return;
    void this.#generate();
  }

  dispose(): void {
    this.#edited = true;
    this.#stop();
  }

  async #generate(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#tries += 1;
    this.#deps.onChange();
    let text = "";
    try {
      text = await this.#deps.generate(running.signal);
    } catch (error) {
      const passing = error instanceof ApiError && error.retryable;
      if (!passing) this.#tries = triesMax;
      if (this.#running === running) this.#deps.log.warn("context not generated", { passing });
    }
    if (this.#running !== running) return;
    this.#running = null;
    this.#text = text.replaceAll("\0", "").trim().slice(0, contextMaxLength);
    if (this.#text !== "") this.#deps.onSave(this.#text);
    this.#deps.onChange();
  }

  #stop(): void {
    if (this.#running === null) return;
    this.#running.abort();
    this.#running = null;
    this.#deps.onChange();
  }
}
