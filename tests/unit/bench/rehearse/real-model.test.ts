import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { findModelServer } from "#bench/rehearse/real/model-server.ts";
import { type ModelWatch, watchModel } from "#bench/rehearse/real/model-watch.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server that answers by `answer`, watched. */
async function watch(answer: (response: ServerResponse) => void): Promise<ModelWatch> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const watched = await watchModel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closers.push(watched.close);
  return watched;
}

const ask = (url: string, text: string, signal?: AbortSignal) =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: text }] }),
    ...(signal && { signal }),
  });

it("finds no model's server that is not installed", async () => {
  expect(await findModelServer({ command: "no-such-model-server" })).toBeNull();
});

it("passes calls on, and notes what became of each", async () => {
  let status = 200;
  const watched = await watch((response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ usage: { prompt_tokens: 30, completion_tokens: 12 } }));
  });
  expect(await (await ask(watched.url, "one")).json()).toMatchObject({ usage: {} });
  status = 500;
  expect((await ask(watched.url, "two")).status).toBe(500);
  await ask(watched.url, "one");
  // What is not a question, such as the list of models, is no call.
  await fetch(`${watched.url}/models`);
  expect(watched.calls.map(({ outcome }) => outcome)).toEqual(["answered", "refused", "refused"]);
  expect(watched.calls[0]?.tokens).toEqual({ prompt: 30, answer: 12 });
  const keys = watched.calls.map(({ key }) => key);
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

it("tells a caller that hangs up from a server that is lost", async () => {
  const begun: ServerResponse[] = [];
  const watched = await watch((response) => begun.push(response));
  const hangUp = new AbortController();
  const gone = ask(watched.url, "one", hangUp.signal).catch(() => {});
  await expect.poll(() => begun.length).toBe(1);
  hangUp.abort();
  await gone;
  const lost = ask(watched.url, "two").catch(() => {});
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.destroy();
  await lost;
  await expect.poll(() => watched.calls.map(({ outcome }) => outcome)).toEqual(["aborted", "lost"]);
});
