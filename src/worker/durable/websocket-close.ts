/** Codes between 1000 and 4999 that a Close frame cannot carry. */
const reservedCodes = [1004, 1005, 1006, 1015];

/**
 * Answers a browser's Close. The runtime does not do so for hibernating sockets, and a browser that
 * gets no answer holds its socket until it gives up with 1006.
 */
export function echoClose(socket: WebSocket, code: number): void {
  const canEcho = code >= 1000 && code <= 4999 && !reservedCodes.includes(code);
  socket.close(canEcho ? code : 1000);
}
