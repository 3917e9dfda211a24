import type { MarianMTModel, MarianTokenizer, Tensor } from "@huggingface/transformers";
import {
  type LoadRuntime,
  loadFromFiles,
  networkOptions,
  observeSteps,
} from "#client/recognition/device/model-library.ts";
import type { LoadedModel } from "#client/recognition/device/serve-speech-model.ts";
import {
  type ModelContents,
  SpeechModelError,
  type TranslationRequest,
} from "#client/recognition/device/speech-model-messages.ts";
import { isRepetitive } from "#shared/repetitions.ts";

/** The names of a model's parts in transformers.js. */
interface Parts {
  network: MarianMTModel;
  tokenizer: MarianTokenizer;
  toTensor(values: readonly number[]): Tensor;
}

const placeCount = 512;
/** A longer translation is a repetition. */
const getTokensMax = (inputLength: number) => Math.min(placeCount - 12, 16 + 3 * inputLength);

/** How a sentence is tried: as the model wants it, then, if it repeats itself, without repetitions. */
const attempts = [{}, { no_repeat_ngram_size: 3, repetition_penalty: 1.2 }] as const;

/**
 * Loads a Marian model (a pair of OPUS-MT) from files that are all in `contents`. It takes the likeliest token each
 * time: transformers.js has no search over several sentences.
 *
 * @throws SpeechModelError
 */
export async function loadMarian(
  contents: ModelContents,
  loadRuntime: LoadRuntime,
  onRead: () => void,
): Promise<LoadedModel<TranslationRequest, string>> {
  const parts: Parts = await loadFromFiles(contents, loadRuntime, onRead, async (library) => ({
    network: (await library.MarianMTModel.from_pretrained(
      "model",
      networkOptions,
    )) as MarianMTModel,
    tokenizer: (await library.MarianTokenizer.from_pretrained("model")) as MarianTokenizer,
    toTensor: (values) =>
      new library.Tensor("int64", BigInt64Array.from(values.map(BigInt)), [1, values.length]),
  }));
  return (request, beforeStep) => translate(parts, request, beforeStep);
}

/** @throws SpeechModelError `failed` when the model only repeats itself. */
async function translate(
  parts: Parts,
  { text, target }: TranslationRequest,
  beforeStep: () => Promise<void>,
): Promise<string> {
  const { network, tokenizer } = parts;
  observeSteps(network, { beforeStep });
  const input = encode(tokenizer, text, target);
  for (const attempt of attempts) {
    const output = await generate(parts, input, attempt);
    const hasEnded = output.at(-1) === tokenizer.eos_token_id;
    if (hasEnded && !isRepetitive(output, input))
      return tokenizer.decode(output, { skip_special_tokens: true }).trim();
  }
  throw new SpeechModelError("failed", "The translation does not end");
}

/** transformers.js's tokenizer would take the target's token apart. A model of one language does not have it. */
function encode(tokenizer: MarianTokenizer, text: string, target: string | null): number[] {
  const tokens = tokenizer.encode(text);
  const end = tokenizer.eos_token_id ?? 0;
  if (tokens.at(-1) !== end) tokens.push(end);
  const first = target === null ? undefined : tokenizer.get_vocab().get(target);
  return first === undefined ? tokens : [first, ...tokens];
}

/** The translation's tokens, with the one that ends it if it ends. */
async function generate(
  { network, toTensor }: Parts,
  input: readonly number[],
  options: Record<string, unknown>,
): Promise<number[]> {
  const sequences = (await network.generate({
    inputs: toTensor(input),
    attention_mask: toTensor(input.map(() => 1)),
    max_new_tokens: getTokensMax(input.length),
    num_beams: 1,
    // Otherwise a translation that is cut looks like one that has ended.
    forced_eos_token_id: null,
    ...options,
  } as never)) as Tensor;
  const sequence = sequences.tolist()[0].map(Number) as number[];
  return sequence.slice(1);
}
