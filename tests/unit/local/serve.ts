import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { StandIn } from "#local/stand-in.ts";

/** Serves one stand-in on a free port of 127.0.0.1, as the embedded stack does. */
export async function serve(standIn: StandIn): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void standIn.handle(request, response));
  // PGlite holds this thread for seconds: a connection would end at the moment when it is used again.
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

/** Sets the faults of the stand-in under `prefix`, and hands back what it answers. */
export async function control(url: string, prefix: string, faults: object): Promise<unknown> {
  const response = await fetch(`${url}${prefix}control`, {
    method: "POST",
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
