import type { Log } from "#client/lib/log.ts";
import { Signal } from "#client/lib/observable.ts";
import { type findTranslationModel, listModelPairs } from "#client/models/translation-models.ts";
import type { TranslatorState } from "#client/translation/browser/browser-translators.ts";
import type { Translator } from "#client/translation/translator-list.ts";
import { joinPieces } from "#shared/join-pieces.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import { splitSentences } from "./sentences.ts";
import type { TranslationModel } from "./translation-model.ts";

type PairModel = NonNullable<ReturnType<typeof findTranslationModel>>;

interface Deps {
  log: Log;
  findModel: typeof findTranslationModel;
  /** Opens a stored model; null: it is not stored. */
  openModel(description: PairModel): Promise<TranslationModel | null>;
}

/** A model in memory, or on the way there. */
interface Opening {
  description: PairModel;
  model: TranslationModel | null;
  /** Calls that use it. */
  callCount: number;
}

/**
 * Translates with models on this device. One model is in memory at a time; a call for another one takes its place. Where
 * two languages are spoken, its two models alternate.
 */
export class DeviceTranslators implements Translator {
  readonly name = "device";
  /** What is known of each pair that was prepared, by its key. */
  readonly states = new Signal<ReadonlyMap<string, TranslatorState>>(new Map());
  #opening: Opening | null = null;

  constructor(private readonly deps: Deps) {}

  /** Prepares a pair that is used for the first time, unless the model in memory is busy. */
  getState(pair: TranslationPair): ReturnType<Translator["getState"]> {
    if (this.deps.findModel(pair) === null) return "unavailable";
    const key = toPairKey(pair);
    if (!this.states.get().has(key)) {
      if (this.#opening?.model === null || (this.#opening?.callCount ?? 0) > 0) return "preparing";
      void this.prepare(pair);
    }
    const kind = this.states.get().get(key)?.kind;
    return kind === "ready" || kind === "preparing" ? kind : "unavailable";
  }

  /** Opens the model of `pair` unless that is done or under way. Never rejects. */
  async prepare(pair: TranslationPair): Promise<void> {
    const description = this.deps.findModel(pair);
    const kind = this.states.get().get(toPairKey(pair))?.kind;
    if (description === null || kind === "ready" || kind === "preparing") return;
    this.#close();
    const opening: Opening = { description, model: null, callCount: 0 };
    this.#opening = opening;
    this.#setStates(description, { kind: "preparing", download: null });
    let failure: unknown = new Error("not stored");
    try {
      opening.model = await this.deps.openModel(description);
    } catch (error) {
      failure = error;
    }
    if (this.#opening !== opening) opening.model?.dispose();
    else if (opening.model === null) this.#fail(description, failure);
    else this.#setStates(description, { kind: "ready" });
  }

  /** What is stored has changed: closes a model that is not stored any more, and forgets what has failed. */
  update(storedIds: readonly string[]): void {
    const { description } = this.#opening ?? {};
    if (description === undefined || !storedIds.includes(description.id)) this.#close();
    const states = [...this.states.get()].filter(([, { kind }]) => kind !== "failed");
    this.states.set(new Map(states));
  }

  /** What has failed stays known: it would take the place of the next model, and fail again. */
  #close(): void {
    this.#opening?.model?.dispose();
    this.#opening = null;
    const states = [...this.states.get()].filter(([, { kind }]) => kind === "failed");
    this.states.set(new Map(states));
  }

  /** Sentence by sentence. */
  readonly translate: Translator["translate"] = async ({ text, ...pair }, signal) => {
    const opening = this.#opening;
    if (!opening?.model || this.deps.findModel(pair) !== opening.description)
      throw new Error("The translator is not ready");
    const { sourceLanguage, targetLanguage } = pair;
    const { model, description } = opening;
    const target = description.targets[targetLanguage] ?? null;
    const parts: string[] = [];
    opening.callCount++;
    try {
      for (const sentence of splitSentences(text, sourceLanguage))
        parts.push(await model.translate({ text: sentence, target }, signal));
    } catch (error) {
      if (this.#opening === opening && !model.isOpen()) this.#fail(description, error);
      throw error;
    } finally {
      opening.callCount--;
    }
    return joinPieces(parts, targetLanguage);
  };

  #fail(description: PairModel, error: unknown): void {
    const reason = error instanceof Error ? error.message : "unknown";
    this.deps.log.warn("device translator failed", { id: description.id, reason });
    this.#opening = null;
    this.#setStates(description, { kind: "failed" });
  }

  #setStates(description: PairModel, state: TranslatorState): void {
    const states = listModelPairs(description).map((pair) => [toPairKey(pair), state] as const);
    this.states.set(new Map([...this.states.get(), ...states]));
  }
}
