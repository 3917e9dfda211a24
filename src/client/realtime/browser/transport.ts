import * as z from "zod/mini";
import { type ErrorCode, errorCodes } from "../../../shared/errors.ts";
import type { RelayTransport, Socket, SocketHandlers } from "../ports.ts";

const errorBody = z.object({ error: z.object({ code: z.enum(errorCodes) }) });

/** The browser's WebSocket and fetch, to the server that the page came from. */
export const browserTransport: RelayTransport = {
  connect(path: string, handlers: SocketHandlers): Socket {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => handlers.open();
    socket.onmessage = (event: MessageEvent<unknown>) => handlers.message(event.data);
    socket.onclose = (event) => handlers.close(event.code, event.reason);
    return {
      // A socket that is closing drops what it is given; the spool still has it.
      send: (data) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      },
      close: (code, reason) => socket.close(code, reason),
    };
  },

  async refusal(path: string): Promise<ErrorCode | null> {
    try {
      const response = await fetch(path, { headers: { accept: "application/json" } });
      if (response.ok) return null;
      const parsed = errorBody.safeParse(await response.json());
      return parsed.success ? parsed.data.error.code : null;
    } catch {
      return null;
    }
  },
};
