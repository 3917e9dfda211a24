import OpenAI from "openai";
import { AnswerCut, type Llm, type ModelCall } from "#server/ports.ts";
import { createAnswerSchema } from "./answer-schema.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { createLlmError, readContent, withTimeout } from "./chat-stream.ts";
import { toLlmError } from "./llm-errors.ts";
import { createOutputLimiter, type OutputLimit } from "./output-limit.ts";
import { beginsWithThoughts, hasThoughts, removeThoughts } from "./thoughts.ts";
import { Turns } from "./turns.ts";

export interface LlmSettings {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Size of the context window: prompt and answer together. */
  contextTokens: number;
  /** A server of the operator's own, which may be slow and small: its calls take turns. */
  isOwn?: boolean;
  /** The stand-in, whose answers are a demonstration. */
  isDemo?: boolean;
}

interface Bounds {
  /** Time for a complete answer, including retries and pauses. */
  answerTimeoutMs: number;
  /** A stream that does not start, or is silent, for this long has failed. Reasoning models start late. */
  silenceMs: number;
  /** Longest duration of a stream. */
  streamMaxMs: number;
}

const defaultBounds: Bounds = { answerTimeoutMs: 20_000, silenceMs: 45_000, streamMaxMs: 300_000 };
/** A small machine reads a full window in minutes. Each counts from when the call runs. */
const ownBounds: Bounds = { answerTimeoutMs: 150_000, silenceMs: 300_000, streamMaxMs: 1_200_000 };
/** Temporary errors and broken connections are retried; time-outs are not. */
const answerRetries = 2;
const streamRetries = 1;
/** The longest useful answers have 30,000 characters; in a stream each token has 300 bytes of overhead. */
const maxBytes = { whole: 512 * 1024, stream: 16 * 1024 * 1024 };
/** Tokens for the thoughts of a model that has been seen to have some. */
const thoughtTokens = 2_000;
/** Characters of a prompt that are read in the time in which one is written. */
const readPerWritten = 8;

/** Any service that speaks Chat Completions at `baseUrl`. */
export function connectLlm(
  { baseUrl, apiKey, model, contextTokens, isOwn = false, isDemo = false }: LlmSettings,
  bounds: Bounds = isOwn ? ownBounds : defaultBounds,
): Llm {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    fetch: createBoundedFetch(maxBytes),
    // The library would log the text of a frame that it cannot parse.
    logLevel: "off",
  });
  const withLimit = createOutputLimiter(baseUrl);
  const withSchema = createAnswerSchema();
  const turns = isOwn ? new Turns() : null;
  let hasThought = false;
  const toBody = (
    { system, user }: Pick<ModelCall, "system" | "user">,
    limit: OutputLimit,
    format: Awaited<Parameters<Parameters<typeof withSchema>[1]>[0]> = {},
  ) => ({
    model,
    ...limit,
    ...format,
    messages: [
      { role: "system" as const, content: system },
      { role: "user" as const, content: user },
    ],
  });

  async function ask({ signal: outer, maxTokens, strings, ...prompt }: ModelCall): Promise<string> {
    const completion = await withTimeout(bounds.answerTimeoutMs, outer, (signal) =>
      withSchema(strings, (format) =>
        withLimit(maxTokens, (limit) =>
          client.chat.completions.create(toBody(prompt, limit, format), {
            signal,
            maxRetries: answerRetries,
          }),
        ),
      ),
    ).catch((error: unknown) => {
      throw toLlmError(error);
    });
    const choice = completion.choices?.[0];
    const content = choice?.message?.content;
    const isThinking = hasThoughts(choice?.message) || beginsWithThoughts(content ?? "");
    if (choice?.finish_reason === "length") {
      // Its limit had no room for thoughts, which nobody knew of.
      if (isOwn && isThinking && !hasThought) {
        hasThought = true;
        return ask({ ...prompt, maxTokens: maxTokens + thoughtTokens, strings, signal: outer });
      }
      throw new AnswerCut();
    }
    hasThought ||= isThinking;
    if (choice?.finish_reason !== "stop" || typeof content !== "string")
      throw createLlmError(`the answer ended with ${choice?.finish_reason ?? "no choice"}`);
    return content;
  }

  return {
    contextTokens,
    isDemo,
    concurrency: isOwn ? 1 : 4,
    get reasoningTokens() {
      return isOwn && !hasThought ? 0 : thoughtTokens;
    },

    async complete(call) {
      const turn = await turns?.take(true, call.signal);
      let size: number | null = null;
      try {
        call.onRun?.();
        const answer = await ask(call);
        size = answer.length + (call.system.length + call.user.length) / readPerWritten;
        return answer;
      } finally {
        turn?.end(size);
      }
    },

    async *stream({ signal, maxTokens, ...prompt }) {
      const readerEnd = new AbortController();
      const turn = await turns?.take(false, signal);
      let hasBegun = false;
      try {
        // With a long prompt the first piece takes longer than a complete short answer.
        const chunks = await withTimeout(bounds.silenceMs, signal, (startSignal) =>
          withLimit(maxTokens, (limit) =>
            client.chat.completions.create(
              { ...toBody(prompt, limit), stream: true },
              {
                signal: AbortSignal.any([readerEnd.signal, startSignal]),
                maxRetries: streamRetries,
              },
            ),
          ),
        );
        const noteThoughts = () => {
          hasThought = true;
        };
        const content = readContent(chunks, { ...bounds, signal, onThoughts: noteThoughts });
        for await (const piece of removeThoughts(content, noteThoughts)) {
          hasBegun = true;
          yield piece;
        }
      } catch (error) {
        throw toLlmError(error, { hasBegun });
      } finally {
        // Stops the model, however reading has ended.
        readerEnd.abort();
        turn?.end(null);
      }
    },
  };
}
