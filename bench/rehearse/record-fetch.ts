import { AsyncLocalStorage } from "node:async_hooks";
import { parseJson } from "#local/json-body.ts";
import type { Answer } from "./exchange.ts";

interface HttpAnswer {
  status: number;
  isStream: boolean;
  text: Promise<string>;
}

const current = new AsyncLocalStorage<HttpAnswer[]>();

/** From now on, `fetch` reports its answers to `recordCalls`, also those that libraries call. Returns what ends that. */
export function installRecorder(): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = async (...call) => {
    const answers = current.getStore();
    const response = await fetch(...call);
    if (answers) {
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      // A caller that stops reading ends this copy too.
      const text = response
        .clone()
        .text()
        .catch(() => "");
      answers.push({ status: response.status, isStream: isStream ?? false, text });
    }
    return response;
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/** Runs `call` and returns the answers of its requests, in order: kind is the status, or `chunk` in a stream. */
export async function recordCalls(call: () => Promise<unknown>): Promise<Answer[]> {
  const answers: HttpAnswer[] = [];
  await current.run(answers, call);
  const read = answers.map(async ({ status, isStream, text }) =>
    isStream ? splitStream(await text) : [{ kind: `${status}`, body: parseJson(await text) }],
  );
  return (await Promise.all(read)).flat();
}

/** Server-sent events. The end of Chat Completions is no JSON. */
function splitStream(text: string): Answer[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => {
    const data = line.slice("data: ".length);
    return data === "[DONE]"
      ? { kind: data, body: undefined }
      : { kind: "chunk", body: parseJson(data) };
  });
}
