/** Creates a random secret of `bytes` bytes, as base64url. */
export const createSecret = (bytes = 32): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");

/** SHA-256 in hexadecimal; the database stores secrets in this form only. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}
