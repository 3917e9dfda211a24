import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** A local replacement for an outside service: it speaks the same protocol, under a path of the embedded stack. */
export interface StandIn {
  /** For example `/neon/`. `request.url` includes it. */
  prefix: string;
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
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
