import { DurableObject } from "cloudflare:workers";
import * as z from "zod/mini";
import { findLiveSessions } from "#server/auth/sessions.ts";
import type { UserChannelCalls } from "#server/ports.ts";
import { relayClose } from "#shared/relay.ts";
import {
  type LectureNews,
  type UserChannelMessage,
  userChannelPing,
  userChannelPong,
} from "#shared/site.ts";
import { getServices } from "#worker/services.ts";
import {
  acceptUpgrade,
  channelGrantHeader,
  echoClose,
  isUpgradeRequest,
  listOpenSockets,
  readGrant,
  refuseUpgrade,
} from "./sockets.ts";

/** Who is subscribed, and until when; stored in the socket's attachment. */
const grantSchema = z.object({
  userId: z.string(),
  /** Hash of the sign-in session's secret, as the table holds it. */
  signInId: z.string(),
  /** Ms since the epoch. */
  expiresAt: z.number(),
});
export type ChannelGrant = z.infer<typeof grantSchema>;

/** A socket's attachment. `sentCount`: messages that it was sent. */
const attachmentSchema = z.extend(grantSchema, { sentCount: z._default(z.int(), 0) });

/** Most tabs of one user that receive updates. */
const maxSockets = 32;
/**
 * What a tab has read is not known. After so many messages, an hour or two of recording, it must connect again: those
 * that it has not read take 256 KiB at most in the runtime's queue.
 */
const messagesMax = 1_000;
/** Longest time until an ended session is noticed without a notification. */
const recheckIntervalMs = 900_000;
const recheckRetryMs = 60_000;

/**
 * One user's channel: notifies the user's open tabs of changes to the profile and to lectures. Its sockets hibernate, and it
 * stores nothing but their attachments. A socket lives as long as its session.
 */
export class UserChannel extends DurableObject<Cloudflare.Env> implements UserChannelCalls {
  readonly #services;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#services = getServices(env);
    ctx.setWebSocketAutoResponse(
      new WebSocketRequestResponsePair(userChannelPing, userChannelPong),
    );
  }

  /** The upgrade, with the route's grant. Returns 426 for anything else, 429 for too many tabs. */
  override async fetch(request: Request): Promise<Response> {
    const grant = readGrant(request, channelGrantHeader, grantSchema);
    if (!isUpgradeRequest(request)) return refuseUpgrade("upgrade_required");
    if (listOpenSockets(this.ctx, grantSchema).length >= maxSockets)
      return refuseUpgrade("rate_limited");
    const { response } = acceptUpgrade(this.ctx, grant);
    const { storage } = this.ctx;
    const checkAt = Math.min(grant.expiresAt, this.#now() + recheckIntervalMs);
    const alarmAt = await storage.getAlarm();
    if (alarmAt === null || alarmAt > checkAt) await storage.setAlarm(checkAt);
    return response;
  }

  async reportProfileChange(): Promise<void> {
    this.#send({ type: "profile_changed" });
  }

  async reportLectureChange(news: LectureNews): Promise<void> {
    this.#send({ type: "lecture_changed", ...news });
  }

  #send(message: UserChannelMessage): void {
    const text = JSON.stringify(message);
    for (const { socket, attachment } of listOpenSockets(this.ctx, attachmentSchema)) {
      if (attachment.sentCount >= messagesMax) {
        socket.close(relayClose.restart, "Connect again.");
        continue;
      }
      socket.send(text);
      socket.serializeAttachment({ ...attachment, sentCount: attachment.sentCount + 1 });
    }
  }

  async reportEndedSessions(): Promise<void> {
    await this.#reauthorise();
  }

  override async alarm(): Promise<void> {
    await this.#reauthorise();
  }

  /** Clients send nothing but the ping, which the runtime answers without waking the channel. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(relayClose.policy, "Nothing is expected here.");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    echoClose(socket, code);
  }

  /** Closes the sockets of ended sessions, and schedules the next check. */
  async #reauthorise(): Promise<void> {
    const { db, clock, logger } = this.#services;
    const open = listOpenSockets(this.ctx, attachmentSchema);
    const [first] = open;
    if (!first) return;
    const { userId } = first.attachment;
    const now = this.#now();
    let ends: Map<string, number>;
    try {
      const ids = [...new Set(open.map(({ attachment }) => attachment.signInId))];
      ends = await findLiveSessions(db, { userId, ids, now: clock.now() });
    } catch {
      logger.warn("user_channel_not_authorised", { userId });
      await this.ctx.storage.setAlarm(now + recheckRetryMs);
      return;
    }
    let next = now + recheckIntervalMs;
    for (const { socket, attachment: grant } of open) {
      const expiresAt = ends.get(grant.signInId);
      if (expiresAt === undefined) {
        socket.close(relayClose.policy, "Please sign in again.");
        continue;
      }
      next = Math.min(next, expiresAt);
      socket.serializeAttachment({ ...grant, expiresAt });
    }
    if (ends.size > 0) await this.ctx.storage.setAlarm(next);
  }

  #now(): number {
    return this.#services.clock.now().getTime();
  }
}
