import * as z from "zod/mini";
import { planLevels } from "#server/recording/plan-limits.ts";
import type { RoomGrant } from "#server/recording/room/events.ts";
import { uuid } from "#shared/lecture.ts";
import { tabParam, takeOverParam } from "#shared/site.ts";

/** Header between the route and the room; the route overwrites what a client sent under it. */
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

/** What a hibernating socket carries, so that it can be told apart after the room has lost its memory. */
const attachmentSchema = z.object({
  socketId: z.string(),
  grant: grantSchema,
  tab: z._default(z.nullable(z.string()), null),
  /** Ms since the epoch; sockets of the version before have none. */
  connectedAt: z._default(z.number(), 0),
});
export type SocketAttachment = z.infer<typeof attachmentSchema>;

/** @throws when the header is missing: only the route may reach a room. */
export function readGrant(request: Request): RoomGrant {
  return grantSchema.parse(JSON.parse(request.headers.get(grantHeader) ?? "null"));
}

/** What the address says of the tab; a client that names none takes the place of any other. */
export function readConnectParams({ url }: Request): { tab: string | null; takesOver: boolean } {
  const { searchParams } = new URL(url);
  const tab = uuid.safeParse(searchParams.get(tabParam)).data ?? null;
  return { tab, takesOver: tab === null || searchParams.get(takeOverParam) === "1" };
}

export function readAttachment(socket: WebSocket): SocketAttachment | null {
  const parsed = attachmentSchema.safeParse(socket.deserializeAttachment());
  return parsed.success ? parsed.data : null;
}
