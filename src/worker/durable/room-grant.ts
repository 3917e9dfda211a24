import * as z from "zod/mini";
import { planLevels } from "#server/recording/plan-limits.ts";
import type { RoomGrant } from "#server/recording/room/events.ts";
import { uuid } from "#shared/lecture.ts";
import { tabParam, takeOverParam } from "#shared/site.ts";

/** Internal header from the route to the room; the route overwrites a client's value. */
export const grantHeader = "dualect-room-grant";

const grantSchema = z.object({
  recordingId: z.string(),
  user: z.nullable(z.object({ id: z.string(), sessionId: z.string() })),
  address: z.nullable(z.string()),
  level: z.enum(planLevels),
  usedMs: z.number(),
  limitMs: z.number(),
  expiresAt: z.number(),
});

/** The socket's attachment, which identifies it after hibernation. */
const attachmentSchema = z.object({
  socketId: z.string(),
  grant: grantSchema,
  tab: z._default(z.nullable(z.string()), null),
  /** Ms since the epoch; sockets of an earlier version have none. */
  connectedAt: z._default(z.number(), 0),
});
export type SocketAttachment = z.infer<typeof attachmentSchema>;

/** @throws when the header is missing: only the route may reach a room. */
export function readGrant(request: Request): RoomGrant {
  return grantSchema.parse(JSON.parse(request.headers.get(grantHeader) ?? "null"));
}

/** Reads the tab from the query. A client without a tab id always takes over. */
export function readConnectParams({ url }: Request): { tab: string | null; takesOver: boolean } {
  const { searchParams } = new URL(url);
  const tab = uuid.safeParse(searchParams.get(tabParam)).data ?? null;
  return { tab, takesOver: tab === null || searchParams.get(takeOverParam) === "1" };
}

export function readAttachment(socket: WebSocket): SocketAttachment | null {
  const parsed = attachmentSchema.safeParse(socket.deserializeAttachment());
  return parsed.success ? parsed.data : null;
}
