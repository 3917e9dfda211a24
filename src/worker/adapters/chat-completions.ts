import OpenAI from "openai";
import { cleanPieces } from "#server/ai/clean-pieces.ts";
import {
  hasThoughtsBefore,
  mayBeThoughts,
  removeThoughts,
  ThoughtFilter,
} from "#server/ai/thoughts.ts";
import { AnswerCut, type Llm, type ModelCall } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { createAnswerSchema } from "./answer-schema.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import {
  callerHungUp,
  createLlmError,
  hasThoughts,
  noAnswerInTime,
  readContent,
  withTimeout,
} from "./chat-stream.ts";
import { toLlmError } from "./llm-errors.ts";
import { createOutputLimiter, type OutputLimit } from "./output-limit.ts";
import { createThinkingSwitch } from "./thinking-switch.ts";
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
  /** Time for a complete answer, including retries and pauses; for a model that thinks, `silenceMs` counts. */
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
  const withoutThinking = createThinkingSwitch({ baseUrl, model });
  const turns = isOwn ? new Turns() : null;
  let hasThought = false;
  /** It has given thoughts without their first tag. */
  let isUnopened = false;
  /** It had no whole answer in time: it may be thinking, which only a stream shows. */
  let isLate = false;

  type Fields = OutputLimit &
    Parameters<Parameters<typeof withSchema>[1]>[0] &
    Parameters<Parameters<typeof withoutThinking>[0]>[0];

  /** Sends a call with the fields that the server knows. */
  const send = <T>(
    { system, user, maxTokens, strings }: ModelCall,
    { mayThink }: { mayThink: boolean },
    create: (body: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming) => Promise<T>,
  ): Promise<T> => {
    const sendFields = (fields: Fields) =>
      create({
        model,
        ...fields,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
      });
    const sendLimited = (fields: Fields) =>
      withSchema(strings, (format) =>
        withLimit(maxTokens, (limit) => sendFields({ ...limit, ...format, ...fields })),
      );
    return mayThink ? sendLimited({}) : withoutThinking(sendLimited);
  };

  async function ask(call: ModelCall): Promise<string> {
    const startedAt = Date.now();
    const completion = await withTimeout(bounds.answerTimeoutMs, call.signal, (signal) =>
      send(call, { mayThink: false }, (body) =>
        client.chat.completions.create(body, { signal, maxRetries: answerRetries }),
      ),
    ).catch((error: unknown) => {
      isLate ||= isTimeout(error, Date.now() - startedAt);
      throw toLlmError(error);
    });
    const choice = completion.choices?.[0];
    const content = choice?.message?.content;
    const isCut = choice?.finish_reason === "length";
    hasThought ||=
      hasThoughts(choice?.message) ||
      hasThoughtsBefore(content ?? "") ||
      (isCut && mayBeThoughts(content ?? ""));
    if (isCut) throw new AnswerCut();
    if (choice?.finish_reason !== "stop" || typeof content !== "string")
      throw createLlmError(`the answer ended with ${choice?.finish_reason ?? "no choice"}`);
    return removeThoughts(content);
  }

  /** The pieces of an answer. `onRun` is called at the first one: how long a model thinks says nothing about its server. */
  async function* read(
    { onRun, ...call }: ModelCall,
    { mayThink }: { mayThink: boolean },
  ): AsyncGenerator<string> {
    const { signal } = call;
    const readerEnd = new AbortController();
    const thoughts = new ThoughtFilter({ isUnopened });
    let hasBegun = false;
    try {
      // With a long prompt the first piece takes longer than a complete short answer.
      const chunks = await withTimeout(bounds.silenceMs, signal, (startSignal) =>
        send(call, { mayThink }, (body) =>
          client.chat.completions.create(
            { ...body, stream: true },
            {
              signal: AbortSignal.any([readerEnd.signal, startSignal]),
              maxRetries: streamRetries,
            },
          ),
        ),
      );
      const onThoughts = () => {
        hasThought = true;
      };
      const content = readContent(chunks, { ...bounds, signal, onThoughts });
      for await (const piece of cleanPieces(content, thoughts)) {
        if (!hasBegun) onRun?.();
        hasBegun = true;
        yield piece;
      }
    } catch (error) {
      throw toLlmError(error, { hasBegun });
    } finally {
      hasThought ||= thoughts.hasThoughts;
      isUnopened ||= thoughts.isUnopened;
      // Stops the model, however reading has ended.
      readerEnd.abort();
    }
  }

  async function readWhole(call: ModelCall): Promise<string> {
    let answer = "";
    for await (const piece of read(call, { mayThink: false })) answer += piece;
    isLate = false;
    return answer;
  }

  async function complete(call: ModelCall): Promise<string> {
    const knewThoughts = hasThought;
    try {
      if (hasThought || isLate) return await readWhole(call);
      call.onRun?.();
      return await ask(call);
    } catch (error) {
      // Its limit had no room for thoughts, which nobody knew of.
      const isNews = isOwn && hasThought && !knewThoughts;
      if (!(error instanceof AnswerCut) || !isNews) throw error;
      return await readWhole({ ...call, maxTokens: call.maxTokens + thoughtTokens });
    }
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
        const answer = await complete(call);
        size = answer.length + (call.system.length + call.user.length) / readPerWritten;
        return answer;
      } finally {
        turn?.end(size);
      }
    },

    async *stream(call) {
      const turn = await turns?.take(false, call.signal);
      try {
        // A long answer of a service may take its time.
        yield* read(call, { mayThink: !isOwn });
      } finally {
        turn?.end(null);
      }
    },
  };
}

/** The page hangs up after 10 s at the earliest; sooner, it does not need the answer any more. */
const hangUpMs = 8_000;

const isTimeout = (error: unknown, ms: number): boolean =>
  error instanceof AppError &&
  (error.message === noAnswerInTime || (error.message === callerHungUp && ms >= hangUpMs));
