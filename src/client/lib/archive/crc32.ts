/** CRC-32 of ZIP: the polynomial 0xedb88320, lowest bit first. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The checksum of what `checksum` is of and `bytes` behind it. It begins with 0. */
export function addToCrc32(checksum: number, bytes: Uint8Array): number {
  let sum = ~checksum;
  for (let at = 0; at < bytes.length; at += 1)
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return ~sum >>> 0;
}
