import { DurableObject } from "cloudflare:workers";
import { findLiveSessions } from "#server/auth/live-sessions.ts";
import type { UserChannelCalls } from "#server/ports.ts";
import { type LiveMessage, livePing, livePong } from "#shared/live.ts";
import { relayClose } from "#shared/relay.ts";
import { getServices } from "#worker/services.ts";
import { type ChannelGrant, readAttachment, readChannelGrant } from "./channel-grant.ts";
import { createErrorResponse, isUpgradeRequest } from "./upgrade-error.ts";
import { echoClose } from "./websocket-close.ts";

/** As many pages of one user hear of changes; more are no person's. */
const maxSockets = 32;
/** A session whose end nobody told of is noticed within this. */
const recheckIntervalMs = 900_000;
const recheckRetryMs = 60_000;

/**
 * One user's live channel: it tells the user's open pages that their profile has changed. Its sockets
 * hibernate; nothing is stored but what a socket carries. A socket lives as long as its session.
 */
export class UserChannel extends DurableObject<Cloudflare.Env> implements UserChannelCalls {
  readonly #services;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#services = getServices(env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(livePing, livePong));
  }

  /** The upgrade, with the route's grant. Answers 426 to anything else, 429 to one page too many. */
  override async fetch(request: Request): Promise<Response> {
    const grant = readChannelGrant(request);
    if (!isUpgradeRequest(request)) return createErrorResponse("upgrade_required");
    if (this.#open().length >= maxSockets) return createErrorResponse("rate_limited");
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment(grant);
    await this.#askBy(Math.min(grant.expiresAt, this.#now() + recheckIntervalMs));
    return new Response(null, { status: 101, webSocket: client });
  }

  async profileChanged(): Promise<void> {
    const message: LiveMessage = { type: "profile_changed" };
    const text = JSON.stringify(message);
    for (const { socket } of this.#open()) socket.send(text);
  }

  async sessionsEnded(): Promise<void> {
    await this.#reauthorise();
  }

  override async alarm(): Promise<void> {
    await this.#reauthorise();
  }

  /** A page has nothing to say but the ping, which is answered without waking the channel. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(relayClose.policy, "Nothing is expected here.");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    echoClose(socket, code);
  }

  /** Closes what belongs to no session any more, and settles when to ask again. */
  async #reauthorise(): Promise<void> {
    const { db, clock, logger } = this.#services;
    const open = this.#open();
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

  #open(): { socket: WebSocket; grant: ChannelGrant }[] {
    return this.ctx.getWebSockets().flatMap((socket) => {
      const grant = socket.readyState === WebSocket.OPEN ? readAttachment(socket) : null;
      return grant ? [{ socket, grant }] : [];
    });
  }

  async #askBy(at: number): Promise<void> {
    const { storage } = this.ctx;
    const due = await storage.getAlarm();
    if (due === null || due > at) await storage.setAlarm(at);
  }

  #now(): number {
    return this.#services.clock.now().getTime();
  }
}
