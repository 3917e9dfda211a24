import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";

/**
 * The part of Chrome's Translator, Summarizer and Prompt APIs that we use; lib.dom.d.ts has none of them.
 *
 * Source: https://webmachinelearning.github.io/translation-api/, …/writing-assistance-apis/ and …/prompt-api/
 */

interface CreateOptions {
  signal: AbortSignal;
  /** Called with the target of `downloadprogress` events; `loaded` is 0 to 1. */
  monitor(target: EventTarget): void;
}

export interface BuiltInFactory<Options, Engine> {
  availability(options: Options): Promise<EngineAvailability>;
  /** A download begins only after the person has used the page. */
  create(options: Options & CreateOptions): Promise<Engine>;
}

interface TranslatorLanguages {
  sourceLanguage: string;
  targetLanguage: string;
}

export interface BuiltInTranslator {
  translate(text: string, options: { signal: AbortSignal }): Promise<string>;
}

export type TranslatorConstructor = BuiltInFactory<TranslatorLanguages, BuiltInTranslator>;

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

export type SummarizerConstructor = BuiltInFactory<SummarizerOptions, BuiltInSummarizer>;

interface ExpectedText {
  type: "text";
  languages: string[];
}

interface LanguageModelOptions {
  expectedInputs: ExpectedText[];
  expectedOutputs: ExpectedText[];
  initialPrompts?: { role: "system"; content: string }[];
}

interface BuiltInLanguageModel {
  /** Rejects with a QuotaExceededError for a text that is too long. */
  promptStreaming(text: string, options: { signal: AbortSignal }): AsyncIterable<string>;
  destroy(): void;
}

export type LanguageModelConstructor = BuiltInFactory<LanguageModelOptions, BuiltInLanguageModel>;

export interface BuiltInAi {
  /** Undefined where the browser has none. */
  Translator?: TranslatorConstructor;
  Summarizer?: SummarizerConstructor;
  LanguageModel?: LanguageModelConstructor;
}
