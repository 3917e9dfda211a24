import type { Socket, SocketHandlers } from "#client/lib/socket.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";

export const browserTransport: Pick<RelayTransport, "connect"> = {
  connect(path: string, handlers: SocketHandlers): Socket {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => handlers.open();
    socket.onmessage = (event: MessageEvent<unknown>) => handlers.message(event.data);
    socket.onclose = (event) => handlers.close(event.code, event.reason);
    return {
      // A closing socket would drop it; the chunk stays in its take.
      send: (data) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      },
      close: (code, reason) => socket.close(code, reason),
    };
  },
};
