import * as z from "zod/mini";
import { AppError } from "#shared/errors.ts";

/** The fields that we read of a stream's frame. The frame with the usage has no choice. */
const frameSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.nullish(z.object({ content: z.nullish(z.string()) })),
      finish_reason: z.nullish(z.string()),
    }),
  ),
});

interface StreamBounds {
  silenceMs: number;
  streamMaxMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Yields the text of a Chat Completions stream.
 *
 * @throws AppError `llm_failed` when the stream ends early, is silent for `silenceMs`, lasts longer than
 * `streamMaxMs`, contains an invalid frame, or is aborted by `signal`.
 */
export async function* readContent(
  frames: AsyncIterable<unknown>,
  { silenceMs, streamMaxMs, signal }: StreamBounds,
): AsyncGenerator<string> {
  const iterator = frames[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<never>();
  // Avoids an unhandled rejection when nothing awaits it.
  stopped.promise.catch(() => {});
  const stopAs = (detail: string) => () => stopped.reject(createLlmError(detail));
  const hungUp = stopAs("the caller hung up");
  const end = setTimeout(stopAs("a stream without end"), streamMaxMs);
  signal?.addEventListener("abort", hungUp, { once: true });
  if (signal?.aborted) hungUp();
  let finished = false;
  try {
    for (;;) {
      // Only the wait for the model counts as silence, not a slow reader.
      const silence = setTimeout(stopAs("the stream fell silent"), silenceMs);
      const next = await Promise.race([iterator.next(), stopped.promise]).finally(() =>
        clearTimeout(silence),
      );
      if (next.done) break;
      const parsed = frameSchema.safeParse(next.value);
      if (!parsed.success) throw createLlmError("a frame that is none");
      const [choice] = parsed.data.choices;
      if (choice?.delta?.content) yield choice.delta.content;
      if (choice?.finish_reason && choice.finish_reason !== "stop")
        throw createLlmError(`the stream ended with ${choice.finish_reason.slice(0, 40)}`);
      finished ||= choice?.finish_reason === "stop";
    }
  } finally {
    clearTimeout(end);
    signal?.removeEventListener("abort", hungUp);
  }
  if (!finished) throw createLlmError("the stream was cut");
}

const createLlmError = (detail: string) => new AppError("llm_failed", { detail });
