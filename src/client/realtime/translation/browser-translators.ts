import type { Clock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import {
  defaultSourceLanguage,
  getTranslationTag,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { BuiltInTranslator, TranslatorConstructor } from "./built-in-ai.ts";
import { createBuiltIn } from "./create-built-in.ts";
import type { Translator } from "./translator-list.ts";

/**
 * `download`: the share of the model that is loaded, 0 to 1; null before a download has begun, and without one. `stalled`: nothing
 * has happened for too long; it may still become ready.
 */
export type TranslatorState =
  | { kind: "preparing"; download: number | null }
  | { kind: "ready" | "stalled" | "failed" };

/** Chrome calls simplified Chinese just `zh`. */
function toTranslatorTag(language: TranslationLanguage): string {
  return language === "zh-cn" ? "zh" : getTranslationTag(language);
}

/** Owns the browser's translators, one for each target language. */
export class BrowserTranslators implements Translator {
  readonly name = "browser";
  /** What is known of each language that was prepared. */
  readonly states = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());
  readonly #translators = new Map<TranslationLanguage, BuiltInTranslator>();
  /** Ends the preparation of a language. */
  readonly #preparations = new Map<TranslationLanguage, AbortController>();

  constructor(
    private readonly factory: TranslatorConstructor,
    private readonly deps: {
      clock: Clock;
      log: Log;
      /** The person wants this browser to translate; otherwise it does where nothing has to be downloaded. */
      mayDownload(): boolean;
    },
  ) {}

  /** Prepares a language that is used for the first time. */
  getState(language: TranslationLanguage): ReturnType<Translator["getState"]> {
    if (!this.states.get().has(language)) void this.prepare(language);
    const kind = this.states.get().get(language)?.kind;
    return kind === "ready" || kind === "preparing" ? kind : "unavailable";
  }

  /**
   * Prepares `language` unless that is done or under way. Call it where the person has just clicked: a browser
   * downloads nothing otherwise.
   */
  async prepare(language: TranslationLanguage): Promise<void> {
    const kind = this.states.get().get(language)?.kind;
    if (kind === "ready" || kind === "preparing") return;
    this.#preparations.get(language)?.abort();
    const preparation = new AbortController();
    const { signal } = preparation;
    this.#preparations.set(language, preparation);
    const { clock, log, mayDownload } = this.deps;
    const setState = (state: TranslatorState) => {
      if (!signal.aborted) this.states.set(new Map(this.states.get()).set(language, state));
    };
    setState({ kind: "preparing", download: null });
    try {
      const translator = await createBuiltIn(
        this.factory,
        { sourceLanguage: defaultSourceLanguage, targetLanguage: toTranslatorTag(language) },
        {
          clock,
          onDownload: (download) => setState({ kind: "preparing", download }),
          onStall: () => setState({ kind: "stalled" }),
          mayDownload: mayDownload(),
          signal,
        },
      );
      if (signal.aborted) return;
      this.#translators.set(language, translator);
      setState({ kind: "ready" });
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      log.warn("browser translator not ready", { language, reason });
      setState({ kind: "failed" });
    }
  }

  readonly translate: Translator["translate"] = async ({ text, targetLanguage }, signal) => {
    const translator = this.#translators.get(targetLanguage);
    if (translator === undefined) throw new Error("The translator is not ready");
    return translator.translate(text, { signal });
  };
}
