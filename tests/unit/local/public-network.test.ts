import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { publicNetwork } from "#local/edge.ts";

const script = `export default {
  async fetch(request, env) {
    const url = new URL(request.url).searchParams.get("url");
    const get = (run) => run(url).then((response) => response.text(), () => "refused");
    return Response.json([await get(fetch), await get((one) => env.PUBLIC_NETWORK.fetch(one))]);
  },
};`;

it("a network for other sites reaches nothing of this machine, by whatever name", async () => {
  const server = createServer((_, response) => void response.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          name: "test",
          compatibilityDate: "2026-10-23",
          modules: [{ type: "ESModule", path: "test.mjs", contents: script }],
          serviceBindings: { PUBLIC_NETWORK: publicNetwork },
        },
      ],
    }),
  );
  try {
    const { origin } = await miniflare.ready;
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = encodeURIComponent(`http://${host}:${port}/`);
      const answer = await fetch(`${origin}/?url=${url}`);
      expect(await answer.json()).toEqual(["reached", "refused"]);
    }
  } finally {
    await miniflare.dispose();
    server.close();
  }
});
