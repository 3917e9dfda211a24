import { ContextWindowExceeded, type ModelCall } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { recordCalls } from "./record-fetch.ts";
import { type RehearsedService, type Side, wrongKey, wrongModel } from "./service.ts";

const vocabulary = new Set(["object", "role", "finish_reason", "type", "code", "param"]);
/** An expensive model of November 2026. */
const dollarsAMillionTokens = 5;

const prompt: ModelCall = {
  system: "Translate the sentence into Spanish. Answer with the translation alone.",
  user: "The entropy of a closed system does not fall.",
  maxTokens: 400,
};

/** A failure's name and code, which is all that the adapter keeps of it. */
function toOutcome(error: unknown): string {
  if (error instanceof ContextWindowExceeded) return "the prompt is too long";
  return error instanceof AppError ? `${error.code}: ${error.message}` : "another error";
}

async function ask(
  side: Side,
  name: string,
  { isStream = false, call = {}, llm = {} }: Question = {},
): Promise<Exchange> {
  const model = connectLlm({ ...side.settings.llm, ...llm });
  const since = performance.now();
  let outcome = "a text";
  let firstMs = -1;
  const answers = await recordCalls(async () => {
    try {
      if (!isStream) await model.complete({ ...prompt, ...call });
      else
        for await (const _ of model.stream({ ...prompt, ...call }))
          if (firstMs === -1) firstMs = Math.round(performance.now() - since);
    } catch (error) {
      outcome = toOutcome(error);
    }
  });
  const allMs = Math.round(performance.now() - since);
  return createExchange(name, answers, vocabulary, {
    facts: { "the adapter reads": outcome },
    times: { ...(firstMs === -1 ? {} : { "first text, ms": firstMs }), "all of it, ms": allMs },
  });
}

interface Question {
  isStream?: boolean;
  call?: Partial<ModelCall>;
  llm?: Partial<Side["settings"]["llm"]>;
}

/** A request that the adapter never sends. */
async function sendWrongBody({ settings: { llm } }: Side): Promise<Exchange> {
  const answers = await recordCalls(() =>
    fetch(`${llm.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${llm.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: llm.model, messages: [] }),
    }),
  );
  return createExchange("a request without messages", answers, vocabulary);
}

/** Words of which each is a token, and a tenth more than fit. */
const createLongText = (contextTokens: number) => "word ".repeat(Math.ceil(contextTokens * 1.1));

export const model: RehearsedService = {
  name: "The language model",
  settings: ["LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL", "LLM_CONTEXT_TOKENS"],
  findMissing(isSet) {
    if (!isSet("LLM_MODEL")) return "LLM_MODEL";
    return isSet("LLM_API_KEY") || isSet("LLM_BASE_URL") ? null : "LLM_API_KEY";
  },
  estimateCost({ llm: { contextTokens } }) {
    const tokens = 1.1 * contextTokens + 3_000;
    return {
      work: "three short answers, and a prompt that is longer than the window, which is refused",
      dollars: (tokens / 1_000_000) * dollarsAMillionTokens,
      basis: `$${dollarsAMillionTokens} a million tokens; nearly all of it only if LLM_CONTEXT_TOKENS is less than the model's window`,
    };
  },
  async run(side) {
    const { contextTokens } = side.settings.llm;
    await side.control("/llm/", { reset: true, windowTokens: contextTokens });
    return Promise.all([
      ask(side, "an answer"),
      ask(side, "an answer as a stream", { isStream: true }),
      ask(side, "an answer that is cut", { call: { maxTokens: 1 } }),
      ask(side, "a wrong key", { llm: { apiKey: wrongKey } }),
      ask(side, "a wrong model", { llm: { model: wrongModel } }),
      ask(side, "a prompt that is too long", {
        isStream: true,
        call: { user: createLongText(contextTokens) },
      }),
      sendWrongBody(side),
    ]);
  },
};
