import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { Signal } from "#client/lib/observable.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";
import type { Translator } from "#client/translation/translator-list.ts";
import {
  getTranslationTag,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import type { BuiltInTranslator, TranslatorConstructor } from "./built-in-ai.ts";
import { createBuiltIn, NoBuiltInError } from "./create-built-in.ts";

/**
 * `download`: the share of the model that is loaded, 0 to 1; null before a download has begun, and without one. `stalled`: nothing
 * has happened for too long; it may still become ready. `unsupported`: it cannot translate this pair.
 */
export type TranslatorState =
  | { kind: "preparing"; download: number | null }
  | { kind: "ready" | "stalled" | "failed" | "unsupported" };

/**
 * Chrome calls simplified Chinese just `zh`, and Hebrew by its former code.
 *
 * Source: chrome-translator-supported-languages.md in github.com/webmachinelearning/translation-api (2026-11-25)
 */
const toSourceTag = (language: SpokenLanguage): string => (language === "he" ? "iw" : language);
const toTargetTag = (language: TranslationLanguage): string =>
  language === "zh" ? getTranslationTag(language) : toSourceTag(toSpokenLanguage(language));

const toTags = ({ sourceLanguage, targetLanguage }: TranslationPair) => ({
  sourceLanguage: toSourceTag(sourceLanguage),
  targetLanguage: toTargetTag(targetLanguage),
});

/** For an answer whether it translates. */
const answerTimeoutMs = 3_000;

/** Owns the browser's translators, one for each pair of languages. */
export class BrowserTranslators implements Translator {
  readonly name = "browser";
  /** What is known of each pair that was prepared, by its key. */
  readonly states = new Signal<ReadonlyMap<string, TranslatorState>>(new Map());
  readonly #translators = new Map<string, BuiltInTranslator>();
  /** Ends the preparation of a pair. */
  readonly #preparations = new Map<string, AbortController>();

  constructor(
    private readonly factory: TranslatorConstructor,
    private readonly deps: {
      clock: Clock;
      log: Log;
      /** The person wants this browser to translate; otherwise it does where nothing has to be downloaded. */
      mayDownload(): boolean;
    },
  ) {}

  /** Whether the browser translates `pair`, now or after a download; null: it does not answer. Nothing is downloaded. */
  async ask(pair: TranslationPair): Promise<EngineAvailability | null> {
    const ask = () => this.factory.availability(toTags(pair));
    return withTimeout(this.deps.clock, answerTimeoutMs, ask).catch(() => null);
  }

  /** Prepares a pair that is used for the first time. */
  getState(pair: TranslationPair): ReturnType<Translator["getState"]> {
    const key = toPairKey(pair);
    if (!this.states.get().has(key)) void this.prepare(pair);
    const kind = this.states.get().get(key)?.kind;
    return kind === "ready" || kind === "preparing" ? kind : "unavailable";
  }

  /**
   * Prepares `pair` unless that is done or under way. Call it where the person has just clicked: a browser
   * downloads nothing otherwise.
   */
  async prepare(pair: TranslationPair): Promise<void> {
    const key = toPairKey(pair);
    const kind = this.states.get().get(key)?.kind;
    if (kind === "ready" || kind === "preparing") return;
    this.#preparations.get(key)?.abort();
    const preparation = new AbortController();
    const { signal } = preparation;
    this.#preparations.set(key, preparation);
    const { clock, log, mayDownload } = this.deps;
    const setState = (state: TranslatorState) => {
      if (!signal.aborted) this.states.set(new Map(this.states.get()).set(key, state));
    };
    setState({ kind: "preparing", download: null });
    try {
      const translator = await createBuiltIn(this.factory, toTags(pair), {
        clock,
        onDownload: (download) => setState({ kind: "preparing", download }),
        onStall: () => setState({ kind: "stalled" }),
        mayDownload: mayDownload(),
        signal,
      });
      if (signal.aborted) return;
      this.#translators.set(key, translator);
      setState({ kind: "ready" });
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      log.warn("browser translator not ready", { pair: key, reason });
      setState({ kind: error instanceof NoBuiltInError ? "unsupported" : "failed" });
    }
  }

  readonly translate: Translator["translate"] = async ({ text, ...pair }, signal) => {
    const translator = this.#translators.get(toPairKey(pair));
    if (translator === undefined) throw new Error("The translator is not ready");
    return translator.translate(text, { signal });
  };
}
