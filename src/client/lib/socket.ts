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
