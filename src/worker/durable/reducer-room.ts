import { DurableObject } from "cloudflare:workers";
import type * as z from "zod/mini";
import { sendAtOnce } from "#worker/metrics.ts";
import { getServices } from "#worker/services.ts";
import { acceptUpgrade, echoClose, listOpenSockets } from "./sockets.ts";

/**
 * A Durable Object whose rules are a pure reducer: it owns the sockets, by the ids that the rules know. Every event
 * passes through one queue, and its effects run in order.
 *
 * @example
 * class Room extends ReducerRoom<RoomEvent> {
 *   #state = createRoomState();
 *   protected handle(event: RoomEvent) {
 *     const { state, effects } = step(this.#state, event, this.now());
 *     this.#state = state;
 *     for (const effect of effects) this.#run(effect);
 *   }
 * }
 */
export abstract class ReducerRoom<Event extends object> extends DurableObject<Cloudflare.Env> {
  protected readonly services;
  /** The open sockets. */
  protected readonly sockets = new Map<string, WebSocket>();
  /** Sockets that were closed here and whose connections have not ended: their readers may not read. */
  protected readonly closing = new Set<WebSocket>();
  readonly #ids = new WeakMap<WebSocket, string>();
  readonly #waiting: Event[] = [];
  #isRunning = false;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.services = getServices(env);
  }

  protected abstract handle(event: Event): void;

  /** A socket has closed. `isKnown`: not by `closeSocket`. */
  protected abstract onSocketClosed(id: string, code: number, isKnown: boolean): void;

  /** One event at a time: an effect that causes another event does not interrupt the remaining effects. */
  protected dispatch(event: Event): void {
    this.#waiting.push(event);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.handle(next);
    } finally {
      this.#isRunning = false;
    }
    sendAtOnce();
  }

  /** ms since the epoch. */
  protected now(): number {
    return this.services.clock.now().getTime();
  }

  protected accept(id: string, attachment: unknown): Response {
    const { socket, response } = acceptUpgrade(this.ctx, attachment);
    this.#register(socket, id);
    return response;
  }

  /** Knows the sockets again after hibernation. Returns the attachments of the open ones. */
  protected restoreSockets<T>(schema: z.ZodMiniType<T>, getId: (attachment: T) => string): T[] {
    for (const socket of this.ctx.getWebSockets())
      if (socket.readyState !== WebSocket.OPEN) this.closing.add(socket);
    return listOpenSockets(this.ctx, schema).map(({ socket, attachment }) => {
      this.#register(socket, getId(attachment));
      return attachment;
    });
  }

  #register(socket: WebSocket, id: string): void {
    this.sockets.set(id, socket);
    this.#ids.set(socket, id);
  }

  /** A closed socket, which may still deliver frames, has its id too. */
  protected getId(socket: WebSocket): string | undefined {
    return this.#ids.get(socket);
  }

  protected send(id: string, frame: string): void {
    const socket = this.sockets.get(id);
    // A closing socket reports its end with its own event.
    if (socket?.readyState === WebSocket.OPEN) socket.send(frame);
  }

  protected closeSocket(id: string, code: number, reason?: string): void {
    const socket = this.sockets.get(id);
    if (!socket) return;
    this.sockets.delete(id);
    this.closing.add(socket);
    socket.close(code, reason);
  }

  protected forgetSocket(socket: WebSocket, code: number): void {
    const id = this.#ids.get(socket);
    if (id !== undefined) this.onSocketClosed(id, code, this.sockets.delete(id));
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.closing.delete(socket);
    this.forgetSocket(socket, code);
    echoClose(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    this.closing.delete(socket);
    this.forgetSocket(socket, 1006);
  }
}
