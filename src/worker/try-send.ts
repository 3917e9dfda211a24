/**
 * Sends to a socket, unless it is closing: that makes `send` throw, and the socket's close event reports its end. Asking
 * for its state first, with each chunk and each word, would take the room a twentieth of its time.
 */
export function trySend(socket: WebSocket | undefined, data: string | Uint8Array): void {
  try {
    socket?.send(data);
  } catch {
    // It is closing.
  }
}
