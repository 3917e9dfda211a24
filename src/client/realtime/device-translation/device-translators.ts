import { Signal } from "#client/lib/observable.ts";
import type { findTranslationModel } from "#client/realtime/models/translation-models.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import type { TranslatorState } from "#client/realtime/translation/browser-translators.ts";
import type { Translator } from "#client/realtime/translation/translator-list.ts";
import { joinPieces } from "#shared/join-pieces.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { splitSentences } from "./sentences.ts";
import type { TranslationModel } from "./translation-model.ts";

type Pair = NonNullable<ReturnType<typeof findTranslationModel>>;

interface Deps {
  log: Log;
  findModel: typeof findTranslationModel;
  /** Opens a stored model; null: it is not stored. */
  openModel(pair: Pair): Promise<TranslationModel | null>;
}

/** A model in memory, or on the way there. */
interface Opening {
  pair: Pair;
  model: TranslationModel | null;
  /** Calls that use it. */
  callCount: number;
}

/** Translates with models on this device. One model is in memory at a time; a call for another one takes its place. */
export class DeviceTranslators implements Translator {
  readonly name = "device";
  /** What is known of each language that was prepared. */
  readonly states = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());
  #opening: Opening | null = null;

  constructor(private readonly deps: Deps) {}

  /** Prepares a language that is used for the first time, unless the model in memory is busy. */
  getState(language: TranslationLanguage): ReturnType<Translator["getState"]> {
    const pair = this.deps.findModel(language);
    if (pair === null) return "unavailable";
    if (!this.states.get().has(language)) {
      if (this.#opening?.model === null || (this.#opening?.callCount ?? 0) > 0) return "preparing";
      void this.prepare(language);
    }
    const kind = this.states.get().get(language)?.kind;
    return kind === "ready" || kind === "preparing" ? kind : "unavailable";
  }

  /** Opens the model of `language` unless that is done or under way. Never rejects. */
  async prepare(language: TranslationLanguage): Promise<void> {
    const pair = this.deps.findModel(language);
    const kind = this.states.get().get(language)?.kind;
    if (pair === null || kind === "ready" || kind === "preparing") return;
    this.#close();
    const opening: Opening = { pair, model: null, callCount: 0 };
    this.#opening = opening;
    this.#setStates(pair, { kind: "preparing", download: null });
    let failure: unknown = new Error("not stored");
    try {
      opening.model = await this.deps.openModel(pair);
    } catch (error) {
      failure = error;
    }
    if (this.#opening !== opening) opening.model?.dispose();
    else if (opening.model === null) this.#fail(pair, failure);
    else this.#setStates(pair, { kind: "ready" });
  }

  /** What is stored has changed: closes a model that is not stored any more, and forgets what has failed. */
  update(storedIds: readonly string[]): void {
    const { pair } = this.#opening ?? {};
    if (pair !== undefined && storedIds.includes(pair.id)) {
      const states = [...this.states.get()].filter(([, { kind }]) => kind !== "failed");
      this.states.set(new Map(states));
    } else {
      this.#close();
    }
  }

  #close(): void {
    this.#opening?.model?.dispose();
    this.#opening = null;
    this.states.set(new Map());
  }

  /** Sentence by sentence. */
  readonly translate: Translator["translate"] = async ({ text, targetLanguage }, signal) => {
    const opening = this.#opening;
    if (!opening?.model || !(targetLanguage in opening.pair.targets))
      throw new Error("The translator is not ready");
    const { model, pair } = opening;
    const target = pair.targets[targetLanguage] ?? null;
    const parts: string[] = [];
    opening.callCount++;
    try {
      for (const sentence of splitSentences(text))
        parts.push(await model.translate(sentence, target, signal));
    } catch (error) {
      if (this.#opening === opening && !model.isOpen()) this.#fail(pair, error);
      throw error;
    } finally {
      opening.callCount--;
    }
    return joinPieces(parts, targetLanguage);
  };

  #fail(pair: Pair, error: unknown): void {
    const reason = error instanceof Error ? error.message : "unknown";
    this.deps.log.warn("device translator failed", { id: pair.id, reason });
    this.#opening = null;
    this.#setStates(pair, { kind: "failed" });
  }

  #setStates({ targets }: Pair, state: TranslatorState): void {
    const languages = Object.keys(targets) as TranslationLanguage[];
    const states = languages.map((language) => [language, state] as const);
    this.states.set(new Map([...this.states.get(), ...states]));
  }
}
