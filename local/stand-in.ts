import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { isLocalRequest } from "./local-requests.ts";

/** A local replacement for an outside service: it speaks the same protocol, under a path of the embedded stack. */
export interface StandIn {
  /** For example `/neon/`. `request.url` includes it. */
  prefixes: readonly string[];
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void | Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves `standIns` on one port of 127.0.0.1; 0 lets the system choose. `close()` closes them too.
 *
 * @throws when the port is taken.
 */
export async function serveStandIns(standIns: readonly StandIn[], port: number) {
  const find = ({ url }: IncomingMessage) =>
    standIns.find(({ prefixes }) => prefixes.some((prefix) => url?.startsWith(prefix)));

  const server = createServer(async (request, response) => {
    const standIn = find(request);
    try {
      if (!isLocalRequest(request)) response.writeHead(403).end("Not for other hosts and sites\n");
      else if (standIn) await standIn.handle(request, response);
      else response.writeHead(404).end("No stand-in at this address\n");
    } catch (error) {
      // A client that has disconnected is no error.
      if (!response.destroyed) console.error(error);
      response.destroy();
    }
  });
  server.on("upgrade", async (request, socket, head) => {
    // Without a listener, a client that resets the connection would end this process.
    socket.on("error", () => socket.destroy());
    const standIn = isLocalRequest(request) ? find(request) : undefined;
    try {
      if (standIn?.upgrade) await standIn.upgrade(request, socket, head);
      else socket.destroy();
    } catch (error) {
      console.error(error);
      socket.destroy();
    }
  });
  // Clients close idle connections. If the server did, a request that is sent at that moment would be lost.
  server.keepAliveTimeout = 0;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    for (const standIn of standIns) await standIn.close();
  };
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    await close();
    throw error;
  }
  /** `http://127.0.0.1:PORT` */
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close };
}

/** Answers requests with `answer`. `close()` aborts `closing` and waits for running requests. */
export function trackRequests(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  closing: AbortController,
): Pick<StandIn, "handle" | "close"> {
  const running = new Set<Promise<void>>();
  return {
    handle(request, response) {
      const task = answer(request, response).finally(() => running.delete(task));
      running.add(task);
      return task;
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}
