import { DurableObject } from "cloudflare:workers";
import { findLiveSessions } from "#server/auth/live-sessions.ts";
import type { UserChannelCalls } from "#server/ports.ts";
import { type LiveMessage, livePing, livePong } from "#shared/live.ts";
import { relayClose } from "#shared/relay.ts";
import { getServices } from "#worker/services.ts";
import { type ChannelGrant, readAttachment, readChannelGrant } from "./channel-grant.ts";
import { createErrorResponse, isUpgradeRequest } from "./upgrade-error.ts";
import { echoClose } from "./websocket-close.ts";

/** Most tabs of one user that receive updates. */
const maxSockets = 32;
/** Longest time until an ended session is noticed without a notification. */
const recheckIntervalMs = 900_000;
const recheckRetryMs = 60_000;

/**
 * One user's live channel: notifies the user's open tabs of profile changes. Its sockets hibernate, and it
 * stores nothing but their attachments. A socket lives as long as its session.
 */
export class UserChannel extends DurableObject<Cloudflare.Env> implements UserChannelCalls {
  readonly #services;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#services = getServices(env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(livePing, livePong));
  }

  /** The upgrade, with the route's grant. Returns 426 for anything else, 429 for too many tabs. */
  override async fetch(request: Request): Promise<Response> {
    const grant = readChannelGrant(request);
    if (!isUpgradeRequest(request)) return createErrorResponse("upgrade_required");
    if (this.#listOpenSockets().length >= maxSockets) return createErrorResponse("rate_limited");
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment(grant);
    await this.#scheduleCheck(Math.min(grant.expiresAt, this.#now() + recheckIntervalMs));
    return new Response(null, { status: 101, webSocket: client });
  }

  async profileChanged(): Promise<void> {
    const message: LiveMessage = { type: "profile_changed" };
    const text = JSON.stringify(message);
    for (const { socket } of this.#listOpenSockets()) socket.send(text);
  }

  async sessionsEnded(): Promise<void> {
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
    const open = this.#listOpenSockets();
    const [first] = open;
    if (!first) return;
    const { userId } = first.grant;
    const now = this.#now();
    let ends: Map<string, number>;
    try {
      const sessionIds = [...new Set(open.map(({ grant }) => grant.sessionId))];
      ends = await findLiveSessions(db, { userId, sessionIds, now: clock.now() });
    } catch {
      logger.warn("user_channel_not_authorised", { userId });
      await this.ctx.storage.setAlarm(now + recheckRetryMs);
      return;
    }
    let next = now + recheckIntervalMs;
    for (const { socket, grant } of open) {
      const expiresAt = ends.get(grant.sessionId);
      if (expiresAt === undefined) {
        socket.close(relayClose.policy, "Please sign in again.");
        continue;
      }
      next = Math.min(next, expiresAt);
      socket.serializeAttachment({ ...grant, expiresAt } satisfies ChannelGrant);
    }
    if (ends.size > 0) await this.ctx.storage.setAlarm(next);
  }

  #listOpenSockets(): { socket: WebSocket; grant: ChannelGrant }[] {
    return this.ctx.getWebSockets().flatMap((socket) => {
      const grant = socket.readyState === WebSocket.OPEN ? readAttachment(socket) : null;
      return grant ? [{ socket, grant }] : [];
    });
  }

  async #scheduleCheck(at: number): Promise<void> {
    const { storage } = this.ctx;
    const due = await storage.getAlarm();
    if (due === null || due > at) await storage.setAlarm(at);
  }

  #now(): number {
    return this.#services.clock.now().getTime();
  }
}
