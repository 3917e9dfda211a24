import * as z from "zod/mini";

/** Internal header from the route to the channel; the route overwrites a client's value. */
export const channelGrantHeader = "dualect-channel-grant";

/** Who is subscribed, and until when; stored in the socket's attachment. */
const grantSchema = z.object({
  userId: z.string(),
  /** Hash of the session's secret, as the table holds it. */
  sessionId: z.string(),
  /** Ms since the epoch. */
  expiresAt: z.number(),
});
export type ChannelGrant = z.infer<typeof grantSchema>;

/** @throws when the header is missing: only the route may reach a channel. */
export function readChannelGrant(request: Request): ChannelGrant {
  return grantSchema.parse(JSON.parse(request.headers.get(channelGrantHeader) ?? "null"));
}

export function readAttachment(socket: WebSocket): ChannelGrant | null {
  const parsed = grantSchema.safeParse(socket.deserializeAttachment());
  return parsed.success ? parsed.data : null;
}
