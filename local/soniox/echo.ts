import type { SpokenLanguage } from "#shared/languages.ts";
import type { Progress, Token } from "./recogniser.ts";
import type { StreamTranslator, TranslatedPiece } from "./stream-translator.ts";

/** A sentence that is translated has so many words, which is 3 s with a frame of 256 ms for each. */
export const echoSentenceWords = 12;

/**
 * Answers each audio frame immediately with one final word, the frame's number in its session, and recognises nothing.
 * Words that are translated are sentences, which numbers alone would not be: "Word0 word1 … word11. Word12".
 */
export class Echo {
  #frames = 0;
  #heardMs = 0;

  constructor(
    private readonly language: SpokenLanguage,
    private readonly translator: StreamTranslator | null,
  ) {}

  answer(durationMs: number): Progress {
    const frame = this.#frames;
    this.#frames += 1;
    const start_ms = Math.round(this.#heardMs);
    this.#heardMs += durationMs;
    const end_ms = Math.round(this.#heardMs);
    const { language, translator } = this;
    const times = { start_ms, end_ms, confidence: 1, is_final: true };
    if (translator === null) return this.#toProgress([{ text: ` ${frame}`, ...times }]);
    const endsSentence = this.#frames % echoSentenceWords === 0;
    const beginsSentence = frame % echoSentenceWords === 0;
    const text = `${beginsSentence ? "Word" : "word"}${frame}${endsSentence ? "." : ""}`;
    const word: Token = {
      text: ` ${text}`,
      ...times,
      language,
      translation_status: translator.getTarget(language) === null ? "none" : "original",
    };
    translator.add({ text, language, speaker: 1, endsSentence }, this.#heardMs);
    const translated = translator.takeFinal(this.#heardMs).map(toFinalToken);
    const provisional = translator
      .listProvisional(this.#heardMs)
      .map((piece) => ({ ...toFinalToken(piece), is_final: false }));
    return this.#toProgress([word, ...translated, ...provisional]);
  }

  /** What is left, and the mark of a finalize. */
  finalize(): Progress {
    const at = Math.round(this.#heardMs);
    const mark = { text: "<fin>", start_ms: at, end_ms: at, confidence: 1, is_final: true };
    return this.#toProgress([...(this.translator?.flush() ?? []).map(toFinalToken), mark]);
  }

  #toProgress(tokens: Token[]): Progress {
    const heardMs = Math.round(this.#heardMs);
    return { tokens, final_audio_proc_ms: heardMs, total_audio_proc_ms: heardMs };
  }
}

const toFinalToken = ({ text, language, sourceLanguage }: TranslatedPiece): Token => ({
  text,
  confidence: 1,
  is_final: true,
  language,
  translation_status: "translation",
  source_language: sourceLanguage,
});
