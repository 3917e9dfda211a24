import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { SpeechModel } from "./speech-model.ts";
import type {
  Detection,
  DetectorState,
  HypothesisWord,
  SpeechOptions,
} from "./speech-model-messages.ts";

/** A model that needs longer for one window has stopped. */
const callLimitMs = 5 * 60_000;
const attemptsMax = 2;

interface Deps {
  /** A model that is ready and knows `language`, and is not `failed`, which was given before. May reject. */
  getModel(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  clock: Clock;
  log: Log;
  /** A model was loaded, or has failed. */
  onProgress(): void;
}

/** The model that recognises now. One that fails, or cannot be loaded, is replaced once. */
export class CurrentModel {
  #model: SpeechModel | null = null;
  #hasFailed = false;
  /** It is to be replaced. */
  #failed: SpeechModel | null = null;

  constructor(private readonly deps: Deps) {}

  get isLoaded(): boolean {
    return this.#model !== null;
  }
  /** The last one has failed, or could not be loaded. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The next call loads a model. */
  drop(): void {
    this.#model = null;
  }

  /** Loads a model that knows `language`, unless one is loaded. @throws what the second attempt throws */
  async load(language: SpokenLanguage, signal: AbortSignal): Promise<SpeechModel> {
    for (let attempt = 1; this.#model === null; attempt += 1) {
      try {
        const model = await this.deps.getModel(this.#failed, language);
        if (signal.aborted) return model;
        this.#model = model;
        this.#failed = null;
        this.deps.onProgress();
      } catch (error) {
        if (signal.aborted) throw error;
        this.#replace("speech model not loaded", error, attempt);
      }
    }
    return this.#model;
  }

  /** See `SpeechModel`. @throws what the second model throws */
  transcribe(
    samples: Float32Array,
    options: SpeechOptions,
    signal: AbortSignal,
  ): Promise<HypothesisWord[]> {
    return this.#run(options.language, signal, (model, inner) =>
      model.transcribe(samples, options, inner),
    );
  }

  /** See `SpeechModel`; `language`: of the model that is loaded if there is none. @throws what the second model throws */
  detectSpeech(
    samples: Float32Array,
    state: DetectorState | null,
    language: SpokenLanguage,
    signal: AbortSignal,
  ): Promise<Detection> {
    return this.#run(language, signal, (model, inner) => model.detectSpeech(samples, state, inner));
  }

  async #run<Result>(
    language: SpokenLanguage,
    signal: AbortSignal,
    call: (model: SpeechModel, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const model = await this.load(language, signal);
      try {
        const callModel = (inner: AbortSignal) => call(model, inner);
        const result = await withTimeout(this.deps.clock, callLimitMs, callModel, signal);
        this.#hasFailed = false;
        return result;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#failed = model;
        this.#replace("speech model failed", error, attempt);
      }
    }
  }

  /** @throws `error` after the last attempt */
  #replace(problem: string, error: unknown, attempt: number): void {
    this.deps.log.warn(problem, { error: error instanceof Error ? error.name : "unknown" });
    this.#model = null;
    this.#hasFailed = true;
    if (attempt >= attemptsMax) throw error;
    this.deps.onProgress();
  }
}
