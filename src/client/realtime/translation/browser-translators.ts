import type { Clock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import { defaultSourceLanguage, languages, type TranslationLanguage } from "#shared/languages.ts";
import type { BuiltInTranslator, TranslatorConstructor } from "./built-in-ai.ts";
import { createBuiltIn } from "./create-built-in.ts";

/** `download`: the share of the model that is loaded, 0 to 1; null while nothing has to be downloaded. */
export type TranslatorState =
  | { kind: "preparing"; download: number | null }
  | { kind: "ready" }
  | { kind: "failed" };

/** Chrome calls simplified Chinese just `zh`. */
function toTranslatorTag(language: TranslationLanguage): string {
  return language === "zh-cn" ? "zh" : languages[language].tag;
}

/** Owns the browser's translators, one for each target language. */
export class BrowserTranslators {
  /** What is known of each language that was prepared. */
  readonly states = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());
  readonly #translators = new Map<TranslationLanguage, BuiltInTranslator>();

  constructor(
    private readonly factory: TranslatorConstructor,
    private readonly deps: { clock: Clock; log: Log },
  ) {}

  getState(language: TranslationLanguage): TranslatorState | null {
    return this.states.get().get(language) ?? null;
  }

  /** Prepares `language` unless that is done or under way. Call it where the person has just clicked. */
  async prepare(language: TranslationLanguage): Promise<void> {
    const kind = this.getState(language)?.kind;
    if (kind === "ready" || kind === "preparing") return;
    this.#setState(language, { kind: "preparing", download: null });
    try {
      const translator = await createBuiltIn(
        this.factory,
        { sourceLanguage: defaultSourceLanguage, targetLanguage: toTranslatorTag(language) },
        {
          clock: this.deps.clock,
          onDownload: (download) => this.#setState(language, { kind: "preparing", download }),
        },
      );
      this.#translators.set(language, translator);
      this.#setState(language, { kind: "ready" });
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      this.deps.log.warn("browser translator not ready", { language, reason });
      this.#setState(language, { kind: "failed" });
    }
  }

  /** Null when the translator for `language` is not ready. Rejects when the translation fails. */
  translate(
    text: string,
    language: TranslationLanguage,
    signal: AbortSignal,
  ): Promise<string> | null {
    return this.#translators.get(language)?.translate(text, { signal }) ?? null;
  }

  #setState(language: TranslationLanguage, state: TranslatorState): void {
    this.states.set(new Map(this.states.get()).set(language, state));
  }
}
