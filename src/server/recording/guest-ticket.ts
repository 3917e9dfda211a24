import * as z from "zod/mini";
import { uuid } from "#shared/lecture.ts";

/** What a guest's ticket grants: recording under one id until `expiresAt`. */
export interface GuestGrant {
  recordingId: string;
  expiresAt: Date;
}

const payloadSchema = z.object({
  recordingId: uuid,
  /** Milliseconds since the epoch. */
  expiresAt: z.int().check(z.positive()),
});

const maxTicketLength = 512;
const algorithm = { name: "HMAC", hash: "SHA-256" };

/** `payload.signature`, both base64url. */
export async function signGuestTicket(secret: string, grant: GuestGrant): Promise<string> {
  const body = toBase64Url(
    new TextEncoder().encode(
      JSON.stringify({ recordingId: grant.recordingId, expiresAt: grant.expiresAt.getTime() }),
    ),
  );
  const key = await importKey(secret);
  const signature = await crypto.subtle.sign(algorithm.name, key, new TextEncoder().encode(body));
  return `${body}.${toBase64Url(new Uint8Array(signature))}`;
}

/**
 * Verifies `ticket` at `now`; null if it is malformed, expired or signed with another secret. WebCrypto
 * compares the signature in constant time.
 */
export async function readGuestTicket(
  secret: string,
  ticket: string,
  now: Date,
): Promise<GuestGrant | null> {
  if (ticket.length > maxTicketLength) return null;
  const [body, signature, ...rest] = ticket.split(".");
  if (!body || !signature || rest.length > 0) return null;
  const signatureBytes = fromBase64Url(signature);
  const bodyBytes = fromBase64Url(body);
  if (!signatureBytes || !bodyBytes) return null;
  const key = await importKey(secret);
  const signed = new TextEncoder().encode(body);
  if (!(await crypto.subtle.verify(algorithm.name, key, signatureBytes, signed))) return null;
  const parsed = payloadSchema.safeParse(parseJson(new TextDecoder().decode(bodyBytes)));
  if (!parsed.success) return null;
  const expiresAt = new Date(parsed.data.expiresAt);
  if (expiresAt.getTime() <= now.getTime()) return null;
  return { recordingId: parsed.data.recordingId, expiresAt };
}

function importKey(secret: string) {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
