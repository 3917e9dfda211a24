/** Packets of the fake encoder: they look like Opus and say which chunk and which word they belong to. */

/** Mono SILK, wide band, one frame of 20 ms. */
const head = 72;
const bytes = 9;

export function createFakePacket(chunk: number, word: number): Uint8Array {
  const packet = new Uint8Array(bytes);
  packet[0] = head;
  const view = new DataView(packet.buffer);
  view.setUint32(1, chunk);
  view.setUint32(5, word);
  return packet;
}

/** The chunk and the word of a packet; null if the fake encoder has not made it. */
export function readFakePacket(packet: Uint8Array): { chunk: number; word: number } | null {
  if (packet.byteLength !== bytes || packet[0] !== head) return null;
  const view = new DataView(packet.buffer, packet.byteOffset);
  return { chunk: view.getUint32(1), word: view.getUint32(5) };
}
