import type { Tensor } from "@huggingface/transformers";

/** What can be seen of Whisper while it writes a text: that it repeats itself, and how sure it is of it. */

/** The part of `generation_config.json` that names tokens. */
interface SpecialTokens {
  eos_token_id: number;
  no_timestamps_token_id: number;
}

/** Called with all tokens so far and the scores of the next one, of shape [1, vocabulary], which it may change. */
export type LogitsProcessor = (tokens: bigint[][], logits: Tensor) => Tensor;

/** Longest piece of text whose repetitions are looked for, in tokens. */
const periodMax = 16;
/** Repetitions that nobody says; of a short piece, so many tokens. */
const repeatsMin = 5;
const repeatedMin = 16;

/** Ends a text that repeats itself, Whisper's best known fault. It has more of the repetition than anybody says. */
export function createLoopStop(
  { eos_token_id: end, no_timestamps_token_id: noTimestamps }: SpecialTokens,
  prefixLength: number,
): LogitsProcessor {
  return ([tokens = []], logits) => {
    // Times differ from one repetition to the next.
    const text = tokens.slice(prefixLength).filter((token) => Number(token) < noTimestamps);
    if (isLoop(text)) {
      const scores = logits.data as Float32Array;
      scores.fill(Number.NEGATIVE_INFINITY);
      scores[end] = 0;
    }
    return logits;
  };
}

function isLoop(tokens: readonly bigint[]): boolean {
  for (let period = 1; period <= periodMax; period += 1) {
    const length = Math.max(repeatedMin, repeatsMin * period);
    const from = tokens.length - length;
    if (from < 0) continue;
    let at = tokens.length - 1;
    while (at >= from + period && tokens[at] === tokens[at - period]) at -= 1;
    if (at < from + period) return true;
  }
  return false;
}

/** Text that the model is less sure of than this, where it holds that nobody speaks, is none (probability, mean of logs). */
const noSpeechMin = 0.25;
const meanLogMax = -0.9;

/**
 * How sure the model is of a text: the probability that nobody speaks, and the mean logarithm of the probabilities of
 * its tokens, as in OpenAI's own program.
 */
export class Confidence {
  #noSpeech: number | null = null;
  #logits: Float32Array | null = null;
  #logTotal = 0;
  readonly #logs: number[] = [];

  /** `startAt`: index in the prefix of the token that starts a transcript. */
  constructor(
    private readonly special: SpecialTokens,
    private readonly startAt: number,
  ) {}

  /** `logits`: of a step, of shape [1, tokens that were put in, vocabulary]. Only the first step is looked at. */
  addStep({ data, dims }: Tensor): void {
    if (this.#noSpeech !== null) return;
    const size = dims.at(-1) ?? 0;
    const row = (data as Float32Array).subarray(this.startAt * size, (this.startAt + 1) * size);
    // Directly before the token for a text without times.
    const noSpeech = row[this.special.no_timestamps_token_id - 1] ?? Number.NEGATIVE_INFINITY;
    this.#noSpeech = Math.exp(noSpeech - sumLogs(row));
  }

  readonly process: LogitsProcessor = ([tokens = []], logits) => {
    this.#addToken(Number(tokens.at(-1)));
    this.#logits = logits.data as Float32Array;
    this.#logTotal = sumLogs(this.#logits);
    return logits;
  };

  /** The text is none: it was written for sound in which nobody speaks. */
  get isNoSpeech(): boolean {
    const mean = this.#logs.reduce((sum, log) => sum + log, 0) / this.#logs.length;
    return (this.#noSpeech ?? 0) > noSpeechMin && mean < meanLogMax;
  }

  /** Probabilities of the tokens that were written, without the last one. */
  get probabilities(): number[] {
    return this.#logs.map(Math.exp);
  }

  #addToken(token: number): void {
    const score = this.#logits?.[token];
    if (score === undefined) return;
    this.#logs.push(score - this.#logTotal);
  }
}

/** The logarithm of the sum of the exponentials. */
function sumLogs(values: Float32Array): number {
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index += 1) max = Math.max(max, values[index] ?? max);
  let sum = 0;
  for (let index = 0; index < values.length; index += 1)
    sum += Math.exp((values[index] ?? max) - max);
  return max + Math.log(sum);
}
