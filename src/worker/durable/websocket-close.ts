/** Codes between 1000 and 4999 that a Close frame cannot carry. */
const reservedCodes = [1004, 1005, 1006, 1015];

/**
 * Answers a browser's Close frame. The runtime does not do this for hibernatable sockets, and a browser
 * without an answer keeps its socket open until it times out with 1006.
 */
export function echoClose(socket: WebSocket, code: number): void {
  const canEcho = code >= 1000 && code <= 4999 && !reservedCodes.includes(code);
  socket.close(canEcho ? code : 1000);
}
