import type { EngineAvailability } from "#client/realtime/recognition/web-speech.ts";

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

export interface LanguageModelConstructor {
  availability(options: LanguageModelOptions): Promise<EngineAvailability>;
  create(options: LanguageModelOptions & CreateOptions): Promise<BuiltInLanguageModel>;
}

export interface BuiltInAi {
  /** Undefined where the browser has none. */
  Translator?: TranslatorConstructor;
  Summarizer?: SummarizerConstructor;
  LanguageModel?: LanguageModelConstructor;
}
