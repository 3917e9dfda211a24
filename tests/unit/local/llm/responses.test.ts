import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sendStream } from "#local/llm/responses.ts";

const completion = {
  id: "a",
  created: 0,
  model: "m",
  text: "one two",
  finishReason: "stop" as const,
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const options = {
  fail: "cut" as const,
  includeUsage: false,
  clientDisconnected: new AbortController().signal,
};

test("a stream ends when its client disconnects during a write", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const request = get({ port: (server.address() as AddressInfo).port }).on("error", () => {});
  try {
    const [{ socket }, response] = await once(server, "request");
    socket.destroy();
    await expect(sendStream(response, completion, options)).resolves.toBeUndefined();
  } finally {
    request.destroy();
    server.close();
  }
});
