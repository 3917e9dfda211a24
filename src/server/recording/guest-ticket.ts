import * as z from "zod/mini";
import type { CurrentGuest } from "#server/context.ts";
import { readSignedPayload, signPayload } from "#server/signed-payload.ts";
import { uuid } from "#shared/lecture.ts";

const payloadSchema = z.object({
  recordingId: uuid,
  /** Milliseconds since the epoch. */
  expiresAt: z.int().check(z.positive()),
});

/** Grants recording under one id until `expiresAt`. */
export const signGuestTicket = (
  secret: string,
  { recordingId, expiresAt }: { recordingId: string; expiresAt: Date },
): string => signPayload(secret, { recordingId, expiresAt: expiresAt.getTime() });

/** Verifies `ticket` at `now`; null if it is malformed, expired or signed with another secret. */
export function readGuestTicket(secret: string, ticket: string, now: Date): CurrentGuest | null {
  const payload = readSignedPayload(secret, ticket);
  if (payload === null) return null;
  const { recordingId, expiresAt } = payloadSchema.parse(payload);
  return expiresAt > now.getTime() ? { recordingId } : null;
}
