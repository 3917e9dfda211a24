import type { EngineAvailability } from "#client/realtime/recognition/web-speech.ts";

/**
 * The part of Chrome's Translator and Summarizer APIs that we use; lib.dom.d.ts has neither.
 *
 * Source: https://webmachinelearning.github.io/translation-api/ and …/writing-assistance-apis/
 */

interface CreateOptions {
  signal: AbortSignal;
  /** Called with the target of `downloadprogress` events; `loaded` is 0 to 1. */
  monitor(target: EventTarget): void;
}

interface TranslatorLanguages {
  sourceLanguage: string;
  targetLanguage: string;
}

export interface BuiltInTranslator {
  translate(text: string, options: { signal: AbortSignal }): Promise<string>;
}

export interface TranslatorConstructor {
  availability(languages: TranslatorLanguages): Promise<EngineAvailability>;
  /** A download begins only after the person has used the page. */
  create(options: TranslatorLanguages & CreateOptions): Promise<BuiltInTranslator>;
}

interface SummarizerOptions {
  type: "key-points";
  format: "markdown";
  length: "long";
  expectedInputLanguages: string[];
  outputLanguage: string;
}

interface SummarizeOptions {
  signal: AbortSignal;
  /** What the engine should know or do about the text; part of the input's size. */
  context?: string;
}

export interface BuiltInSummarizer {
  /** Largest input, in the unit of `measureInputUsage`. */
  readonly inputQuota: number;
  measureInputUsage(text: string, options: SummarizeOptions): Promise<number>;
  summarize(text: string, options: SummarizeOptions): Promise<string>;
  destroy(): void;
}

export interface SummarizerConstructor {
  availability(options: SummarizerOptions): Promise<EngineAvailability>;
  create(options: SummarizerOptions & CreateOptions): Promise<BuiltInSummarizer>;
}

export interface BuiltInAi {
  /** Undefined where the browser has none. */
  Translator?: TranslatorConstructor;
  Summarizer?: SummarizerConstructor;
}
