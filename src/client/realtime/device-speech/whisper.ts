import type {
  Tensor,
  WhisperFeatureExtractor,
  WhisperForConditionalGeneration,
  WhisperTokenizer,
} from "@huggingface/transformers";
import { captureSampleRate } from "#shared/limits.ts";
import { listUnits } from "#shared/word-units.ts";
import { type LoadRuntime, loadFromFiles, networkOptions, setBeforeStep } from "./model-library.ts";
import type { LoadedModel } from "./serve-speech-model.ts";
import {
  type HypothesisWord,
  type ModelContents,
  SpeechModelError,
  type SpeechRequest,
} from "./speech-model-messages.ts";

/** The names of a model's parts in transformers.js. */
interface Parts {
  network: WhisperForConditionalGeneration;
  tokenizer: WhisperTokenizer;
  features: WhisperFeatureExtractor;
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
}

/** What `generate` returns with attentions. */
interface Generated {
  sequences: Tensor;
  cross_attentions: Tensor[][];
}

/** One position of the encoder's output. */
const positionSeconds = 0.02;
const promptMaxTokens = 223;
/** Of them for terms: what was said before matters more. */
const termsMaxTokens = 100;
/** More than a person says. It ends a repetition, Whisper's best known fault. */
const tokensPerSecond = 12;
const tokensAtLeast = 16;

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
  }));
  const config = parts.network.generation_config as unknown as GenerationConfig;
  if (!config?.alignment_heads)
    throw new SpeechModelError("damaged", "The model has no alignment heads for word times");
  return (request, beforeStep) => transcribe(parts, config, request, beforeStep);
}

async function transcribe(
  { network, tokenizer, features }: Parts,
  config: GenerationConfig,
  { samples, language, prompt, terms }: SpeechRequest,
  beforeStep: () => Promise<void>,
): Promise<HypothesisWord[]> {
  if (samples.length === 0) return [];
  const seconds = samples.length / captureSampleRate;
  const { input_features } = await features._call(samples);
  await beforeStep();
  const start = getStartTokens(config, language);
  const prefix = [...getPromptTokens(tokenizer, config, prompt, terms), ...start];
  setBeforeStep(network, beforeStep);
  const output = (await network.generate({
    inputs: input_features,
    decoder_input_ids: prefix,
    // With a limit, it decodes once. Without, it would decode the padding behind the sound too.
    max_new_tokens: Math.min(
      config.max_length - prefix.length,
      tokensAtLeast + Math.ceil(seconds * tokensPerSecond),
    ),
    return_timestamps: true,
    return_dict_in_generate: true,
    output_attentions: true,
  } as never)) as unknown as Generated;
  const sequence = output.sequences.tolist()[0].map(Number) as number[];
  const tokens = sequence.slice(prefix.length);
  const times = getTokenTimes(network, config, output, prefix.length, seconds);
  // By the token of the language, words are divided at spaces, or letters where there are none.
  const languageTokens = start.slice(1, 2);
  return toWords(
    tokenizer,
    [...languageTokens, ...tokens],
    [...languageTokens.map(() => 0), ...times],
    { seconds, language },
  );
}

/** The terms that may be said, then what was said before, for spelling and context. Its end counts most. */
function getPromptTokens(
  tokenizer: WhisperTokenizer,
  { prev_sot_token_id: start }: GenerationConfig,
  prompt: string,
  terms: readonly string[],
): number[] {
  const encode = (text: string) =>
    text === "" ? [] : tokenizer.encode(` ${text}`, { add_special_tokens: false });
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
  const times = network._extract_token_timestamps(
    output,
    alignment_heads ?? [],
    Math.ceil(seconds / positionSeconds),
    positionSeconds,
    rowsBefore,
  );
  return times.tolist()[0].slice(rowsBefore) as number[];
}

function toWords(
  tokenizer: WhisperTokenizer,
  tokens: readonly number[],
  times: readonly number[],
  { seconds, language }: { seconds: number; language: string },
): HypothesisWord[] {
  const [, { chunks = [] }] = tokenizer._decode_asr(
    [
      {
        tokens: tokens.map(BigInt),
        token_timestamps: [...times],
        stride: [seconds, 0, 0],
      },
    ],
    { return_timestamps: "word", time_precision: positionSeconds, force_full_sequences: false },
  ) as unknown as [string, { chunks?: { text: string; timestamp: [number, number | null] }[] }];
  const endMs = Math.round(seconds * 1000);
  const toMs = (time: number) => Math.min(endMs, Math.max(0, Math.round(time * 1000)));
  return chunks.flatMap(({ text, timestamp: [from, to] }) =>
    divideWord({ text, startMs: toMs(from), endMs: toMs(to ?? seconds) }, language),
  );
}

/** In these languages transformers.js divides a text anywhere, in the others at spaces. */
const unspacedLanguages = ["ja", "zh", "th"];

/** The units of a word with the white space before it; they share its time. */
export function divideWord(
  { text, startMs, endMs }: HypothesisWord,
  language: string,
): HypothesisWord[] {
  const units = listUnits(text);
  const unitMs = Math.max(0, endMs - startMs) / units.length;
  return units.map((unit, index) => {
    const word = unit.text.trim();
    const isJoined = word === unit.text && (index > 0 || unspacedLanguages.includes(language));
    return {
      text: word,
      startMs: Math.round(startMs + unitMs * index),
      endMs: Math.round(startMs + unitMs * (index + 1)),
      ...(isJoined && ({ isJoined } as const)),
    };
  });
}
