const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/**
 * The text in `bytes`: UTF-16 where a byte order mark says so, UTF-8 otherwise. Null where it is
 * neither, or no text at all; line ends are `\n`.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const mark = marks.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  try {
    const text = new TextDecoder(mark?.encoding ?? "utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text.replace(/\r\n?/g, "\n");
  } catch {
    return null;
  }
}
