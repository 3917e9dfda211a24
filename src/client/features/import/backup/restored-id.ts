/**
 * The id that a row of a backup gets in the account of `userId`: the same each time, so that a backup that is imported
 * again finds what is there, and another one in each account. An id that a file contains is never the id of a row.
 */
export async function toRestoredId(userId: string, id: string): Promise<string> {
  const text = new TextEncoder().encode(`dualect-backup:${userId}:${id.toLowerCase()}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  // Version 8 and the variant of RFC 9562: an id that a hash makes.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
