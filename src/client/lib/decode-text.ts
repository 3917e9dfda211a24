/** By the byte order mark at the start of a text; without one it is UTF-8. */
function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** UTF-8, or UTF-16 with a byte order mark; null for other encodings. Line ends become `\n`. */
export const decodeText = (bytes: Uint8Array): string | null =>
  decode(bytes, detectEncoding(bytes));

/** The same for a table, which a Chinese spreadsheet also writes in GB18030. */
export const decodeTable = (bytes: Uint8Array): string | null =>
  decodeText(bytes) ?? (isGb18030(bytes) ? decode(bytes, "gb18030") : null);

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text.replace(/\r\n?/g, "\n");
  } catch {
    return null;
  }
}

/**
 * Whether the bytes above 0x7f come in twos, as those of common Chinese characters do. GB18030 reads nearly every other
 * encoding too, but in Western ones such a byte mostly stands alone.
 */
function isGb18030(bytes: Uint8Array): boolean {
  let pairs = 0;
  let others = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if ((bytes[at + 1] ?? 0) > 0xa0) pairs += 1;
    else others += 1;
    at += 1;
  }
  return pairs > 9 * others;
}
