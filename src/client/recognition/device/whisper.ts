import type {
  Tensor,
  WhisperFeatureExtractor,
  WhisperForConditionalGeneration,
  WhisperTokenizer,
} from "@huggingface/transformers";
import { captureSampleRate } from "#shared/limits.ts";
import { isUnspaced } from "#shared/words.ts";
import { type LoadRuntime, loadFromFiles, networkOptions, observeSteps } from "./model-library.ts";
import type { LoadedModel } from "./serve-speech-model.ts";
import {
  type HypothesisWord,
  type ModelContents,
  SpeechModelError,
  type SpeechRequest,
} from "./speech-model-messages.ts";
import { Confidence, createLoopStop, type LogitsProcessor } from "./whisper-decoding.ts";
import { correctLateness, positionSeconds, toWords } from "./whisper-words.ts";

/** The names of a model's parts in transformers.js. */
interface Parts {
  network: WhisperForConditionalGeneration;
  tokenizer: WhisperTokenizer;
  features: WhisperFeatureExtractor;
  createTensor(data: Float32Array, dims: number[]): Tensor;
  /** The rules of times in a text, which begins behind the tokens `before` it. */
  createTimeRules(config: GenerationConfig, before: readonly number[]): LogitsProcessor;
}

/** The part of `generation_config.json` that is used. */
interface GenerationConfig {
  decoder_start_token_id: number;
  prev_sot_token_id?: number;
  is_multilingual?: boolean;
  lang_to_id?: Record<string, number>;
  task_to_id?: Record<string, number>;
  alignment_heads?: number[][];
  max_length: number;
  eos_token_id: number;
  no_timestamps_token_id: number;
}

/** The part of `preprocessor_config.json` that is used: sizes in samples, and in frames. */
interface FeatureConfig {
  n_fft: number;
  n_samples: number;
  nb_max_frames: number;
}

/** What `generate` returns with attentions. */
interface Generated {
  sequences: Tensor;
  cross_attentions: Tensor[][];
}

/** The file of the encoder. */
export const encoderPath = "onnx/encoder_model_quantized.onnx";

const promptMaxTokens = 223;
/** Of them for terms: what was said before matters more. */
const termsMaxTokens = 100;
/** More than a person says. */
const tokensPerSecond = 12;
const tokensAtLeast = 16;
/** The end that the model gives a text may be too early by this. */
const textMarginSeconds = 0.3;

/**
 * Loads Whisper from files that are all in `contents`, with word times: its decoder must give its cross attentions,
 * as the exports named `*_timestamped` do.
 *
 * @throws SpeechModelError
 */
export async function loadWhisper(
  contents: ModelContents,
  loadRuntime: LoadRuntime,
  onRead: () => void,
): Promise<LoadedModel<SpeechRequest, HypothesisWord[]>> {
  const parts: Parts = await loadFromFiles(contents, loadRuntime, onRead, async (library) => ({
    network: (await library.WhisperForConditionalGeneration.from_pretrained(
      "model",
      networkOptions,
    )) as WhisperForConditionalGeneration,
    tokenizer: (await library.WhisperTokenizer.from_pretrained("model")) as WhisperTokenizer,
    features: (await library.WhisperFeatureExtractor.from_pretrained(
      "model",
      {},
    )) as WhisperFeatureExtractor,
    createTensor: (data, dims) => new library.Tensor("float32", data, dims),
    createTimeRules: (config, before) =>
      new library.WhisperTimeStampLogitsProcessor(config as never, [...before]) as never,
  }));
  const config = parts.network.generation_config as unknown as GenerationConfig;
  if (!config?.alignment_heads)
    throw new SpeechModelError("damaged", "The model has no alignment heads for word times");
  return (request, beforeStep) => transcribe(parts, config, request, beforeStep);
}

async function transcribe(
  parts: Parts,
  config: GenerationConfig,
  { samples, language, prompt, said, terms, tokenCount }: SpeechRequest,
  beforeStep: () => Promise<void>,
): Promise<HypothesisWord[]> {
  if (samples.length === 0) return [];
  const { network, tokenizer, createTimeRules } = parts;
  const seconds = samples.length / captureSampleRate;
  const inputs = await extractFeatures(parts, samples);
  await beforeStep();
  const start = getStartTokens(config, language);
  const before = [...getPromptTokens(tokenizer, config, prompt, terms), ...start];
  // The text begins where the sound does: the model would leave out what is before a later time.
  const begun = [config.no_timestamps_token_id + 1, ...encodeText(tokenizer, said)];
  const prefix = [...before, ...begun];
  const confidence = new Confidence(config, before.length - start.length);
  observeSteps(network, { beforeStep, onLogits: (logits) => confidence.addStep(logits) });
  const output = (await network.generate({
    inputs,
    decoder_input_ids: prefix,
    logits_processor: [
      confidence.process,
      createLoopStop(config, prefix.length),
      createTimeRules(config, before),
    ],
    // There may be nothing to add.
    begin_suppress_tokens: null,
    // With a limit, it decodes once. Without, it would decode the padding behind the sound too.
    max_new_tokens: Math.min(
      config.max_length - prefix.length,
      tokenCount ?? tokensAtLeast + Math.ceil(seconds * tokensPerSecond),
    ),
    min_new_tokens: tokenCount ?? 0,
    return_dict_in_generate: true,
    output_attentions: true,
  } as never)) as unknown as Generated;
  if (said === "" && confidence.isNoSpeech) return [];
  const sequence = output.sequences.tolist()[0].map(Number) as number[];
  const tokens = sequence.slice(before.length);
  const textSeconds = Math.min(seconds, getTextEnd(tokens, config));
  const times = getTokenTimes(network, config, output, before.length, textSeconds);
  // By the token of the language, words are divided at spaces, or letters where there are none.
  const languageTokens = start.slice(1, 2);
  const words = toWords(
    tokenizer,
    [...languageTokens, ...tokens],
    [...languageTokens.map(() => 0), ...times],
    { seconds: textSeconds, language },
  );
  return addCertainty(words, times, [...begun.map(() => 1), ...confidence.probabilities]);
}

/** The network's input, [1, bands, frames of 30 s]. Of the silence behind the sound, only the beginning is computed. */
async function extractFeatures(
  { features, createTensor }: Parts,
  samples: Float32Array,
): Promise<Tensor> {
  const { n_fft, n_samples, nb_max_frames } = features.config as FeatureConfig;
  const { input_features } = (await features._call(samples, {
    max_length: Math.min(n_samples, samples.length + 2 * n_fft),
  } as never)) as { input_features: Tensor };
  const [, bands = 0, frames = 0] = input_features.dims;
  const found = input_features.data as Float32Array;
  // All frames without sound are the same.
  const padded = new Float32Array(bands * nb_max_frames).fill(found.at(-1) ?? 0);
  for (let band = 0; band < bands; band += 1)
    padded.set(found.subarray(band * frames, (band + 1) * frames), band * nb_max_frames);
  return createTensor(padded, [1, bands, nb_max_frames]);
}

/** `probabilities`: of the tokens that begin at `times`, s. */
function addCertainty(
  words: readonly HypothesisWord[],
  times: readonly number[],
  probabilities: readonly number[],
): HypothesisWord[] {
  const starts = times.map((time) => Math.round(time * 1_000));
  return words.map((word) => {
    const endMs = Math.max(word.endMs, word.startMs + 1);
    const own = probabilities.filter((_, index) => {
      const startMs = starts[index] ?? endMs;
      return startMs >= word.startMs && startMs < endMs;
    });
    return { ...word, certainty: Math.min(1, ...own) };
  });
}

/**
 * Up to where the sound has words, s: a text that stops early ends with its time. Without that, the alignment would spread
 * its last words over all the sound behind them.
 */
function getTextEnd(
  tokens: readonly number[],
  { eos_token_id: end, no_timestamps_token_id: noTimestamps }: GenerationConfig,
): number {
  const last = tokens.findLast((token) => token !== end) ?? 0;
  const at = (last - noTimestamps - 1) * positionSeconds;
  return at > 0 ? at + textMarginSeconds : Number.POSITIVE_INFINITY;
}

/** As the model writes a text: with a space before it, except in scripts without spaces. */
const encodeText = (tokenizer: WhisperTokenizer, text: string): number[] =>
  text === ""
    ? []
    : tokenizer.encode(isUnspaced(text) ? text : ` ${text}`, { add_special_tokens: false });

/** The terms that may be said, then what was said before, for spelling and context. Its end counts most. */
function getPromptTokens(
  tokenizer: WhisperTokenizer,
  { prev_sot_token_id: start }: GenerationConfig,
  prompt: string,
  terms: readonly string[],
): number[] {
  const encode = (text: string) => encodeText(tokenizer, text);
  const list = encodeTerms(terms, encode);
  const before = encode(prompt.trim()).slice(list.length - promptMaxTokens);
  const tokens = [...list, ...before];
  return tokens.length === 0 || start === undefined ? [] : [start, ...tokens];
}

/** As many of the first terms as fit, as one sentence. */
function encodeTerms(terms: readonly string[], encode: (text: string) => number[]): number[] {
  for (let count = terms.length; count > 0; count -= 1) {
    const tokens = encode(`${terms.slice(0, count).join(", ")}.`);
    if (tokens.length <= termsMaxTokens) return tokens;
  }
  return [];
}

function getStartTokens(config: GenerationConfig, language: string): number[] {
  if (!config.is_multilingual && language === "en") return [config.decoder_start_token_id];
  const languageToken = config.lang_to_id?.[`<|${language}|>`];
  const task = config.task_to_id?.transcribe;
  if (languageToken === undefined || task === undefined)
    throw new SpeechModelError("language", `The model does not know the language ${language}`);
  return [config.decoder_start_token_id, languageToken, task];
}

/**
 * When each token after the prefix begins, s. A row of the attentions belongs to the token that was put in and looks
 * at the sound of the one that comes out, so the first row is that of the prefix's last token. (transformers.js's own
 * option gives each token the time of the next one, and looks at the padding behind the sound.)
 */
function getTokenTimes(
  network: WhisperForConditionalGeneration,
  { alignment_heads }: GenerationConfig,
  output: Generated,
  prefixLength: number,
  seconds: number,
): number[] {
  const rowsBefore = prefixLength - 1;
  const heads = alignment_heads ?? [];
  const times = network._extract_token_timestamps(
    output,
    heads,
    Math.ceil(seconds / positionSeconds),
    positionSeconds,
    rowsBefore,
  );
  return correctLateness(times.tolist()[0].slice(rowsBefore) as number[], heads);
}
