import { Recogniser, type RecogniserOptions, type Token } from "#local/soniox/recogniser.ts";

export interface Recognition {
  /** Final tokens without marks. */
  finals: Token[];
  /** Their text. */
  text: string;
  /** Number of endpoints. */
  endpoints: number;
  /** Largest lag of the final time behind the total time, ms. */
  lagMs: number;
}

/** Recognises `samples`, fed in slices of the given lengths, which are repeated. */
export function recognise(
  samples: Float32Array,
  sampleRate: number,
  slices: readonly number[] = [4096],
  options: Partial<RecogniserOptions> = {},
): Recognition {
  const recogniser = new Recogniser({
    sampleRate,
    diarization: true,
    languages: ["en"],
    identifiesLanguage: false,
    endpointDelayMs: 2_000,
    ...options,
  });
  const tokens: Token[] = [];
  let lagMs = 0;
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const length = slices[turn % slices.length] ?? 4096;
    recogniser.feed(samples.subarray(at, at + length));
    at += length;
    const progress = recogniser.takeProgress();
    lagMs = Math.max(lagMs, progress.total_audio_proc_ms - progress.final_audio_proc_ms);
    tokens.push(...progress.tokens.filter((token) => token.is_final));
  }
  recogniser.finalize();
  tokens.push(...recogniser.takeProgress().tokens);
  const finals = tokens.filter(({ text }) => text !== "<end>");
  const text = finals.map((token) => token.text).join("");
  return { finals, text: text.trim(), endpoints: tokens.length - finals.length, lagMs };
}

export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
