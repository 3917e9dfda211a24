import * as z from "zod/mini";
import { readSignedPayload, signPayload } from "#server/signed-payload.ts";
import { AppError } from "#shared/errors.ts";
import { invitationParam } from "#shared/invitation.ts";

/** An invitation can be used this long. As it is for one address, which has one account, it works once. */
export const invitationLifetimeMs = 7 * 86_400_000;

const payloadSchema = z.object({ email: z.string(), expiresAt: z.int() });

const toKey = (secret: string): string => `invitation ${secret}`;

/** The link with which the owner of `email`, in its normal form, can create an account. */
export function createInvitationLink(
  { secret, origin, now }: { secret: string; origin: string; now: Date },
  email: string,
): string {
  const expiresAt = now.getTime() + invitationLifetimeMs;
  const link = new URL("/auth", origin);
  // What follows # is sent to no server, and stands in no log.
  link.hash = `${invitationParam}=${signPayload(toKey(secret), { email, expiresAt })}`;
  return link.href;
}

/** @throws AppError `token_invalid` if it is for another address, or none; `token_expired` */
export function checkInvitation(
  { secret, now }: { secret: string; now: Date },
  { invitation, email }: { invitation: string; email: string },
): void {
  const { data } = payloadSchema.safeParse(readSignedPayload(toKey(secret), invitation));
  if (data?.email !== email) throw new AppError("token_invalid");
  if (data.expiresAt <= now.getTime()) throw new AppError("token_expired");
}
