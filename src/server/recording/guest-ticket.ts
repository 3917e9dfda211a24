import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import type { CurrentGuest } from "#server/context.ts";
import { uuid } from "#shared/lecture.ts";

const payloadSchema = z.object({
  recordingId: uuid,
  /** Milliseconds since the epoch. */
  expiresAt: z.int().check(z.positive()),
});

const maxTicketLength = 512;

/** Grants recording under one id until `expiresAt`. `payload.signature`, both base64url. */
export function signGuestTicket(
  secret: string,
  { recordingId, expiresAt }: { recordingId: string; expiresAt: Date },
): string {
  const payload = JSON.stringify({ recordingId, expiresAt: expiresAt.getTime() });
  return addSignature(secret, Buffer.from(payload).toString("base64url"));
}

/** Verifies `ticket` at `now`; null if it is malformed, expired or signed with another secret. */
export function readGuestTicket(secret: string, ticket: string, now: Date): CurrentGuest | null {
  if (ticket.length > maxTicketLength) return null;
  const [body = ""] = ticket.split(".");
  const given = Buffer.from(ticket);
  const expected = Buffer.from(addSignature(secret, body));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  // The body was signed by `signGuestTicket`, so it is JSON.
  const payload = JSON.parse(Buffer.from(body, "base64url").toString());
  const { recordingId, expiresAt } = payloadSchema.parse(payload);
  return expiresAt > now.getTime() ? { recordingId } : null;
}

function addSignature(secret: string, body: string): string {
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}
