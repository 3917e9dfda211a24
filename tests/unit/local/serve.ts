import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { StandIn } from "#local/stand-in.ts";

/** Serves one stand-in on a free port of 127.0.0.1, as the embedded stack does. */
export async function serve(standIn: StandIn): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void standIn.handle(request, response));
  server.on("upgrade", (request, socket, head) => standIn.upgrade?.(request, socket, head));
  // PGlite can block this thread for seconds; a kept-alive connection could then close just as it is reused.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await standIn.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sets failures of the stand-in under `prefix`; returns its answer. */
export async function control(url: string, prefix: string, failures: object): Promise<unknown> {
  const response = await fetch(`${url}${prefix}control`, {
    method: "POST",
    body: JSON.stringify(failures),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
