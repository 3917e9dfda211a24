import { defaultReasoningTokens } from "#server/ai/tokens.ts";
import { toProviderError } from "#server/metrics/count-event.ts";
import type { Count } from "#server/metrics/series.ts";
import { ContextWindowExceeded, type Llm } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

/** `llm`, whose errors are counted. A call that its caller has aborted, and a prompt that is too long, are none. */
export function countModelErrors(llm: Llm, count: (counted: Count) => void): Llm {
  const note = (error: unknown, signal: AbortSignal | undefined) => {
    if (signal?.aborted || error instanceof ContextWindowExceeded) return;
    const isLimit = error instanceof AppError && error.code === "rate_limited";
    count(toProviderError("model", isLimit ? "rate_limited" : "failed"));
  };
  return {
    contextTokens: llm.contextTokens,
    ...(llm.concurrency === undefined ? {} : { concurrency: llm.concurrency }),
    ...(llm.isDemo === undefined ? {} : { isDemo: llm.isDemo }),
    get reasoningTokens() {
      return llm.reasoningTokens ?? defaultReasoningTokens;
    },
    async complete(call) {
      try {
        return await llm.complete(call);
      } catch (error) {
        note(error, call.signal);
        throw error;
      }
    },
    async *stream(call) {
      try {
        yield* llm.stream(call);
      } catch (error) {
        note(error, call.signal);
        throw error;
      }
    },
  };
}
