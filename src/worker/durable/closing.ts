/** Codes that a Close frame cannot carry. */
const unspeakable = new Set([1005, 1006, 1015]);

/**
 * Answers a browser's Close. The runtime does not do so for hibernating sockets, and a browser that
 * gets no answer holds its socket until it gives up with 1006.
 */
export function answerClose(socket: WebSocket, code: number): void {
  socket.close(unspeakable.has(code) ? 1000 : code);
}
