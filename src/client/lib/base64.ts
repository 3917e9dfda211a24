/** `bytes` in base64, for texts that hold bytes. */
export const toBase64 = (bytes: Iterable<number>): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
