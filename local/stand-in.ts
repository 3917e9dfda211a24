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
