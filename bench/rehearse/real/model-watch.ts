import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Stands between the product and the model's server, changes nothing, and notes every call for an answer. */

export interface WatchedCall {
  /** Hash of the messages: the same question has the same key. */
  key: string;
  isStream: boolean;
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** `aborted`: the product hung up first; `lost`: the server did. */
  outcome: "running" | "answered" | "refused" | "aborted" | "lost";
  status: number;
  /** Of the prompt and of the answer; 0 where the server does not say them. */
  tokens: { prompt: number; answer: number };
}

export interface ModelWatch {
  /** Base URL of the Chat Completions endpoint that the product is given. */
  url: string;
  calls: readonly WatchedCall[];
  close(): Promise<void>;
}

/** Bytes at the end of an answer in which its numbers of tokens stand. */
const tailLength = 4_000;

/** @param target of the server: `http://HOST:PORT` */
export async function watchModel(target: string): Promise<ModelWatch> {
  const calls: WatchedCall[] = [];

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const call = createCall(body);
    const isCall = incoming.url?.endsWith("/chat/completions") ?? false;
    if (isCall) calls.push(call);
    const end = (outcome: WatchedCall["outcome"]) => {
      if (call.outcome !== "running") return;
      call.outcome = outcome;
      call.endedAt = performance.now();
    };
    const { "content-length": _, host: __, ...headers } = incoming.headers;
    const address = new URL(incoming.url ?? "/", target);
    const outgoing = request(address, { method: incoming.method ?? "GET", headers });
    response.on("close", () => {
      if (!response.writableFinished) end("aborted");
      outgoing.destroy();
    });
    outgoing.on("error", () => {
      end("lost");
      response.destroy();
    });
    outgoing.on("response", (answer) => {
      let tail = "";
      call.status = answer.statusCode ?? 0;
      response.writeHead(call.status, answer.headers);
      answer.on("data", (chunk: Buffer) => {
        tail = (tail + chunk.toString("latin1")).slice(-tailLength);
      });
      answer.on("end", () => {
        call.tokens = readTokens(tail);
        end(call.status < 400 ? "answered" : "refused");
      });
      answer.on("error", () => {
        end("lost");
        response.destroy();
      });
      answer.pipe(response);
    });
    outgoing.end(body);
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function createCall(body: Buffer): WatchedCall {
  const parsed = body.length > 0 ? JSON.parse(body.toString()) : {};
  return {
    key: createHash("sha256")
      .update(JSON.stringify(parsed.messages ?? null))
      .digest("hex"),
    isStream: parsed.stream === true,
    startedAt: performance.now(),
    endedAt: null,
    outcome: "running",
    status: 0,
    tokens: { prompt: 0, answer: 0 },
  };
}

/** Of `usage` in a whole answer, or of llama.cpp's `timings` at the end of a stream. */
function readTokens(tail: string): WatchedCall["tokens"] {
  const read = (...names: string[]) => {
    for (const name of names) {
      const found = new RegExp(`"${name}":\\s*(\\d+)`).exec(tail)?.[1];
      if (found !== undefined) return Number(found);
    }
    return 0;
  };
  const prompt = read("prompt_tokens") || read("cache_n") + read("prompt_n");
  return { prompt, answer: read("completion_tokens", "predicted_n") };
}
