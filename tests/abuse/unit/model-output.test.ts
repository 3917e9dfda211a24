import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { parseDescription } from "#server/ai/lecture-context.ts";
import { filterNotes, filterSummary } from "#server/ai/summary-prompts.ts";
import { splitText } from "#server/ai/tokens.ts";
import { parseTranslation } from "#server/ai/translation.ts";
import { createContextBlock, escapeTags } from "#shared/prompt-data.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Body = Record<string, unknown>;

/** A Chat Completions server that answers with `answer`; `bodies` is what it was sent. */
async function startServer(answer: (response: ServerResponse, body: Body) => void) {
  const bodies: Body[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const part of request) text += String(part);
    const body = JSON.parse(text) as Body;
    bodies.push(body);
    answer(response, body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const bounds = { answerTimeoutMs: 2_000, silenceMs: 2_000, streamMaxMs: 20_000 };
  const env = { apiKey: "key", model: "model", contextTokens: 128_000 };
  return {
    bodies,
    connect: (over: Partial<typeof bounds> = {}) =>
      connectLlm({ ...env, baseUrl: `http://127.0.0.1:${port}/v1` }, { ...bounds, ...over }),
  };
}

const call = { system: "Translate.", user: "<text>Hello.</text>", maxTokens: 700 };

function sendAnswer(response: ServerResponse, content = "Bonjour."): void {
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "1", object: "chat.completion", choices: [choice] }));
}

function refuse(response: ServerResponse, status: number, error: Body): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { type: "invalid_request_error", ...error } }));
}

/** Writes `piece` until the client disconnects; resolves with the number of bytes written. */
function writeWithoutEnd(response: ServerResponse, type: string, piece: string): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    response.writeHead(200, { "content-type": type });
    const write = () => {
      while (!response.destroyed) {
        bytes += piece.length;
        if (!response.write(piece)) return void response.once("drain", write);
      }
    };
    response.once("close", () => resolve(bytes));
    write();
  });
}

async function getFailure(pieces: AsyncIterable<string>) {
  let length = 0;
  try {
    for await (const piece of pieces) length += piece.length;
    return { length, failure: null };
  } catch (failure) {
    return { length, failure };
  }
}

describe("a model that does not stop answering", () => {
  it("gets an output limit with every call", async () => {
    const { bodies, connect } = await startServer((response, { stream }) => {
      if (!stream) return sendAnswer(response);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choices = [{ index: 0, delta: { content: "Bonjour." }, finish_reason: "stop" }];
      response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
    });
    const llm = connect();
    expect(await llm.complete(call)).toBe("Bonjour.");
    expect(await getFailure(llm.stream(call))).toEqual({ length: 8, failure: null });
    expect(bodies.map(({ max_tokens }) => max_tokens)).toEqual([700, 700]);
  });

  it("is read up to half a megabyte", async () => {
    let written: Promise<number> = Promise.resolve(0);
    const { bodies, connect } = await startServer((response) => {
      written = writeWithoutEnd(response, "application/json", '{"a":"'.padEnd(16_384, "x"));
    });
    await expect(connect({ answerTimeoutMs: 20_000 }).complete(call)).rejects.toMatchObject({
      code: "llm_failed",
      message: "an answer without end",
    });
    // Socket buffers take more than is read.
    expect(await written).toBeLessThan(16 * 1024 * 1024);
    expect(bodies).toHaveLength(1);
  });

  it("has its stream ended at a summary's maximum length, and its reasoning at 16 MB", async () => {
    const frame = (delta: object) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
    const summing = await startServer((response) => {
      void writeWithoutEnd(response, "text/event-stream", frame({ content: "word ".repeat(50) }));
    });
    const summary = await getFailure(filterSummary(summing.connect().stream(call)));
    expect(summary.failure).toMatchObject({ message: "a summary without end" });
    expect(summary.length).toBeLessThanOrEqual(100_000);
    const thinking = await startServer((response) => {
      const thought = frame({ reasoning_content: "hm ".repeat(5_000) });
      void writeWithoutEnd(response, "text/event-stream", thought);
    });
    const { failure } = await getFailure(thinking.connect().stream(call));
    expect(failure).toMatchObject({ code: "llm_failed", message: "an answer without end" });
  });
});

describe("a model that does not answer", () => {
  it("is called once: a time-out is not retried", async () => {
    const { bodies, connect } = await startServer(() => {});
    const llm = connect({ answerTimeoutMs: 300, silenceMs: 300 });
    const late = { code: "llm_failed", message: "no answer in time" };
    await expect(llm.complete(call)).rejects.toMatchObject(late);
    expect((await getFailure(llm.stream(call))).failure).toMatchObject(late);
    expect(bodies).toHaveLength(2);
  });

  it("is reported as busy at once, with the pause that it asks for, if that is long", async () => {
    const { bodies, connect } = await startServer((response) => {
      response.writeHead(429, { "retry-after": "50" }).end();
    });
    const busy = { code: "rate_limited", retryAfterSeconds: 50 };
    const llm = connect();
    await expect(llm.complete(call)).rejects.toMatchObject(busy);
    expect((await getFailure(llm.stream(call))).failure).toMatchObject(busy);
    expect(bodies).toHaveLength(2);
  });

  it("fails at the deadline even if it asks for a longer pause before a retry", async () => {
    const { bodies, connect } = await startServer((response) => {
      response.writeHead(503, { "retry-after": "50" }).end();
    });
    await expect(connect({ answerTimeoutMs: 300 }).complete(call)).rejects.toMatchObject({
      message: "no answer in time",
    });
    expect(bodies).toHaveLength(1);
  });
});

describe("a server with another name for the output limit", () => {
  const unsupported = (name: string) => ({
    message: `Unsupported parameter: '${name}' is not supported with this model.`,
    param: name,
    code: "unsupported_parameter",
  });

  it("gets that name from the second call on", async () => {
    const { bodies, connect } = await startServer((response, body) => {
      if ("max_tokens" in body) refuse(response, 400, unsupported("max_tokens"));
      else sendAnswer(response);
    });
    const llm = connect();
    for (let calls = 0; calls < 3; calls += 1) expect(await llm.complete(call)).toBe("Bonjour.");
    expect(bodies.map((body) => Object.keys(body).filter((key) => key.startsWith("max")))).toEqual([
      ["max_tokens"],
      ["max_completion_tokens"],
      ["max_completion_tokens"],
      ["max_completion_tokens"],
    ]);
  });

  it("gets no limit if it knows neither name or allows less", async () => {
    const strict = await startServer((response, body) => {
      const name = Object.keys(body).find((key) => key.startsWith("max"));
      if (name) refuse(response, 422, { message: `${name}: Extra inputs are not permitted` });
      else sendAnswer(response);
    });
    expect(await strict.connect().complete(call)).toBe("Bonjour.");
    const small = await startServer((response, { max_tokens: limit }) => {
      if (Number(limit) > 500)
        refuse(response, 400, { message: "max_tokens is too large: 700. At most 500." });
      else sendAnswer(response);
    });
    const llm = small.connect();
    expect(await llm.complete(call)).toBe("Bonjour.");
    expect(await llm.complete({ ...call, maxTokens: 400 })).toBe("Bonjour.");
    expect(small.bodies.map(({ max_tokens }) => max_tokens)).toEqual([700, undefined, 400]);
  });
});

/** Inputs that make regular expressions backtrack. */
const backtrackingInputs: Record<string, (length: number) => string> = {
  "quotation marks": (length) => '"'.repeat(length),
  "quotation marks before a word": (length) => `${'"'.repeat(length)}a`,
  "quotation marks and blanks": (length) => `a${"\" '".repeat(length / 3)}b`,
  periods: (length) => ".".repeat(length),
  commas: (length) => `a${",".repeat(length)}`,
  blanks: (length) => `[${" ".repeat(length)}a`,
  "lines without words": (length) => `a${"\n ".repeat(length / 2)}b`,
  "opening brackets": (length) => "<".repeat(length),
  "invalid tags": (length) => `<${" ".repeat(length)}/${" ".repeat(length)}tex`,
  "one word": (length) => "a".repeat(length),
  "one Chinese word": (length) => "光".repeat(length),
  "sentence ends": (length) => ".'\"”) ".repeat(length / 6),
  "Chinese full stops": (length) => "。”".repeat(length / 2),
  "unpaired surrogates": (length) => "\ud800".repeat(length),
};

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const readers: Record<string, { length: number; read: (text: string) => unknown }> = {
  parseDescription: { length: 100_000, read: parseDescription },
  "parseDescription of an object": {
    length: 100_000,
    read: (text) => parseDescription(JSON.stringify({ title: text.slice(0, 500), context: "a" })),
  },
  parseTranslation: {
    length: 100_000,
    read: (text) => parseTranslation(text, { text: "a", targetLanguage: "de" }),
  },
  "parseTranslation of a long text": {
    length: 20_000,
    read: (text) => parseTranslation(text, { text, targetLanguage: "de" }),
  },
  escapeTags: { length: 100_000, read: escapeTags },
  createContextBlock: {
    length: 100_000,
    read: (text) => createContextBlock("lecture_context", text),
  },
  splitText: { length: 150_000, read: (text) => splitText(text, 1_000) },
  "filterNotes in small pieces": {
    length: 24_000,
    read: async (text) => {
      for await (const _ of filterNotes(inPieces(text, 5), 100_000));
    },
  },
};

/** Least CPU time of three runs in ms. A rejected input has been read, too. */
async function measure(read: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const began = process.cpuUsage();
    try {
      await read();
    } catch {}
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Shorter times depend on the machine, not on the code. */
const noiseMs = 25;

describe.each(Object.entries(readers))("%s", (_, { length, read }) => {
  it.each(Object.entries(backtrackingInputs))(
    "takes at most six times as long for four times the %s",
    async (_name, make) => {
      const short = make(length);
      const long = make(4 * length);
      const shortMs = await measure(() => read(short));
      const longMs = await measure(() => read(long));
      expect(longMs).toBeLessThan(6 * Math.max(shortMs, noiseMs));
    },
  );
});
