import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { Found } from "#local/describe-services.ts";
import { watchServers } from "#local/watch-servers.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  closers.push(close);
  const { port } = server.address() as AddressInfo;
  return { speech: { url: `ws://127.0.0.1:${port}/v1/listen`, hasFinalize: false }, close };
}

/** Searches all the time. `there`: the speech server that a search finds. */
function watch(found: Found, there: { speech: Found["speech"] }) {
  const changes: Found[] = [];
  let searches = 0;
  let looks = 0;
  const search = {
    model: async () => {
      looks += 1;
      return null;
    },
    speech: async () => {
      searches += 1;
      return there.speech;
    },
  };
  closers.push(watchServers(found, search, async (next) => void changes.push(next), 1));
  return { changes, countSearches: () => searches, countLooks: () => looks };
}

it("finds a server that is started later, and then searches no more", async () => {
  const there: { speech: Found["speech"] } = { speech: null };
  const { changes, countSearches, countLooks } = watch({ model: null, speech: null }, there);
  await expect.poll(countSearches).toBeGreaterThan(2);
  expect(changes).toEqual([]);
  const { speech } = await listen();
  there.speech = speech;
  await expect.poll(() => changes).toEqual([{ model: null, speech }]);
  const [searches, looks] = [countSearches(), countLooks()];
  await expect.poll(countLooks).toBeGreaterThan(looks + 2);
  expect(countSearches()).toBe(searches);
});

it("looks for another server when the one in use has ended, and keeps it while there is none", async () => {
  const first = await listen();
  const there: { speech: Found["speech"] } = { speech: null };
  const { changes, countSearches } = watch({ model: null, speech: first.speech }, there);
  await first.close();
  await expect.poll(countSearches).toBeGreaterThan(2);
  expect(changes).toEqual([]);
  const { speech } = await listen();
  there.speech = speech;
  await expect.poll(() => changes).toEqual([{ model: null, speech }]);
});
