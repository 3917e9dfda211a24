import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";
import { isBudgetError } from "./model-pause.ts";

/** A sentence that has no answer after this time goes to the next translator. */
const answerTimeoutMs = 10_000;
/** So long a translator that did not answer comes after the others. */
const restMs = 60_000;

/** Something that translates sentences: the site's model, this browser. */
export interface Translator {
  name: string;
  /** Prepares what it needs for `pair` where it can. `preparing`: it may become ready. */
  getState(pair: TranslationPair): "ready" | "preparing" | "unavailable";
  /** Called in the state `ready` alone. */
  translate: SessionApi["translate"];
}

/** No translator is ready or may become so without the person: rows wait, and the page says what can be done. */
export class NoTranslatorError extends ApiError {
  constructor() {
    super("unavailable", true);
  }
}

/** The site itself has failed, such as its server or its database, and not its language model. */
export class SiteError extends ApiError {
  constructor({ code, retryable, retryAfterSeconds }: ApiError) {
    super(code, retryable, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
}

interface Deps {
  clock: Clock;
  log: Log;
  /** In the order in which they are tried. */
  listTranslators(): Promise<readonly Translator[]>;
}

/** Translates each sentence with the first translator that works, in the person's order. */
export class TranslatorList {
  /** By name: until when it comes last, ms since the epoch. */
  readonly #restUntil = new Map<string, number>();

  constructor(private readonly deps: Deps) {}

  /**
   * The last translator that is left has no time limit of its own: the caller limits the whole call.
   *
   * @throws NoTranslatorError; ApiError `unavailable` while one is only preparing; what the translators threw: a
   *   SiteError rather than another one, a used-up budget only where nothing else was wrong
   */
  readonly translate: SessionApi["translate"] = async (input, signal) => {
    const translators = (await this.deps.listTranslators()).map((translator) => ({
      translator,
      state: translator.getState(input),
    }));
    const ready = translators
      .filter(({ state }) => state === "ready")
      .map(({ translator }) => translator)
      .sort((a, b) => Number(this.#isResting(a)) - Number(this.#isResting(b)));
    if (ready.length === 0) {
      if (translators.some(({ state }) => state === "preparing"))
        throw new ApiError("unavailable", true);
      throw new NoTranslatorError();
    }
    let failure: ApiError | null = null;
    for (const translator of ready) {
      try {
        return await this.#translateWith(translator, translator === ready.at(-1), input, signal);
      } catch (error) {
        signal.throwIfAborted();
        const { name } = translator;
        const next = error instanceof ApiError ? error : new ApiError("llm_failed", true);
        this.deps.log.warn("translator failed", { name, code: next.code });
        if (next.code === "unavailable") this.#restUntil.set(name, this.deps.clock.now() + restMs);
        if (failure === null || isBudgetError(failure) || next instanceof SiteError) failure = next;
      }
    }
    throw failure;
  };

  async #translateWith(
    translator: Translator,
    isLast: boolean,
    input: Parameters<SessionApi["translate"]>[0],
    signal: AbortSignal,
  ): Promise<string> {
    const call = (limited: AbortSignal) => translator.translate(input, limited);
    if (isLast) return call(signal);
    return withTimeout(this.deps.clock, answerTimeoutMs, call, signal);
  }

  #isResting({ name }: Translator): boolean {
    const leftMs = (this.#restUntil.get(name) ?? 0) - this.deps.clock.now();
    return leftMs > 0 && leftMs <= restMs;
  }
}
