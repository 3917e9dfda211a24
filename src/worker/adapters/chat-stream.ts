import * as z from "zod/mini";
import { AnswerCut } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

/** Names of the fields in which servers give a model's thoughts beside its answer. */
const thoughtFields = ["reasoning_content", "reasoning", "thinking"];

/** Whether a message or the delta of a stream has thoughts beside its text. */
export const hasThoughts = (message: object | null | undefined): boolean =>
  Object.entries(message ?? {}).some(
    ([name, value]) => thoughtFields.includes(name) && typeof value === "string" && value !== "",
  );

/** The fields that we read of a stream's frame. The frame with the usage has no choice. */
const frameSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.nullish(z.looseObject({ content: z.nullish(z.string()) })),
      finish_reason: z.nullish(z.string()),
    }),
  ),
});

interface StreamBounds {
  silenceMs: number;
  streamMaxMs: number;
  signal: AbortSignal | undefined;
  /** The stream has thoughts beside its text. */
  onThoughts?: () => void;
}

/**
 * Yields the text of a Chat Completions stream.
 *
 * @throws AppError `llm_failed` when the stream ends early, is silent for `silenceMs`, lasts longer than
 * `streamMaxMs`, contains an invalid frame, or is aborted by `signal`; AnswerCut when it reaches its limit.
 */
export async function* readContent(
  frames: AsyncIterable<unknown>,
  { silenceMs, streamMaxMs, signal, onThoughts }: StreamBounds,
): AsyncGenerator<string> {
  const iterator = frames[Symbol.asyncIterator]();
  const endAt = Date.now() + streamMaxMs;
  let finished = false;
  for (;;) {
    // Only the wait for the model counts as silence, not a slow reader.
    const next = await withTimeout(
      silenceMs,
      signal,
      () => iterator.next(),
      "the stream fell silent",
    );
    if (next.done) break;
    if (Date.now() >= endAt) throw createLlmError("a stream without end");
    const parsed = frameSchema.safeParse(next.value);
    if (!parsed.success) throw createLlmError("a frame that is none");
    const [choice] = parsed.data.choices;
    if (onThoughts && hasThoughts(choice?.delta)) onThoughts();
    if (choice?.delta?.content) yield choice.delta.content;
    if (choice?.finish_reason === "length") throw new AnswerCut();
    if (choice?.finish_reason && choice.finish_reason !== "stop")
      throw createLlmError(`the stream ended with ${choice.finish_reason.slice(0, 40)}`);
    finished ||= choice?.finish_reason === "stop";
  }
  if (!finished) throw createLlmError("the stream was cut");
}

export const noAnswerInTime = "no answer in time";
export const callerHungUp = "the caller hung up";

/**
 * Runs `call` with a signal that aborts after `ms` or with `outer`. It does not wait for the call to end,
 * because the library ignores the signal while it sleeps between retries.
 *
 * @throws AppError `llm_failed`, with `detail` after `ms`
 */
export async function withTimeout<T>(
  ms: number,
  outer: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
  detail = noAnswerInTime,
): Promise<T> {
  const controller = new AbortController();
  const aborted = Promise.withResolvers<never>();
  const abort = (reason: string) => {
    controller.abort();
    aborted.reject(createLlmError(reason));
  };
  const hangUp = () => abort(callerHungUp);
  const timer = setTimeout(() => abort(detail), ms);
  outer?.addEventListener("abort", hangUp);
  if (outer?.aborted) hangUp();
  try {
    return await Promise.race([call(controller.signal), aborted.promise]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", hangUp);
  }
}

export const createLlmError = (detail: string) => new AppError("llm_failed", { detail });
