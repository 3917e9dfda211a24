import type { Socket, SocketHandlers } from "#client/lib/socket.ts";
import type { ErrorCode } from "#shared/errors.ts";

/** Why a room refuses, and when to try again, ms; 0 where it does not say. */
export interface Refusal {
  code: ErrorCode;
  waitMs: number;
}

export interface RelayTransport {
  /** Opens a socket to the room at `path` (with query). */
  connect(path: string, handlers: SocketHandlers): Socket;
  /** Asks over HTTP why the room at `path` refuses. Null: it does not, or it cannot be reached. */
  fetchRefusal(path: string): Promise<Refusal | null>;
}
