export interface SocketHandlers {
  open(): void;
  /** `data` as the socket delivered it. */
  message(data: unknown): void;
  /** Called once, as the last event; also when the connection failed. */
  close(code: number, reason: string): void;
}

export interface Socket {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code: number, reason: string): void;
}

/** Opens a socket to `path` (with query) of this site. */
export function connectSocket(path: string, handlers: SocketHandlers): Socket {
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
}
