import { flushAndReauthorize } from "#server/recording/flush-and-reauthorize.ts";
import { planLimits } from "#server/recording/plan-limits.ts";
import { parseClientFrame } from "#server/recording/room/client-frames.ts";
import type { RoomEffect, RoomEvent, UsageWrite } from "#server/recording/room/events.ts";
import { canConnect, canParse, step } from "#server/recording/room/reducer.ts";
import {
  type Payer,
  parseSnapshot,
  type RoomSocket,
  roomGrantSchema,
  roomSocketSchema,
} from "#server/recording/room/snapshot.ts";
import { createRoomState, type RoomState } from "#server/recording/room/state.ts";
import { RecentWords } from "#server/sharing/recorded-speech.ts";
import type { RecordingState } from "#server/sharing/room/stored.ts";
import { uuid } from "#shared/lecture.ts";
import { type RelayServerMessage, relayClose } from "#shared/relay.ts";
import { tabParam, takeOverParam } from "#shared/site.ts";
import type { RoomCalls } from "#worker/adapters/durable-objects.ts";
import type { SpeechSession } from "#worker/adapters/speech-session.ts";
import { count } from "#worker/metrics.ts";
import { openSpeechSession } from "#worker/services.ts";
import { ClientReading } from "./client-reading.ts";
import { ReducerRoom } from "./reducer-room.ts";
import { RoomAlarm } from "./room-alarm.ts";
import { ShareLink } from "./share-link.ts";
import { isUpgradeRequest, readGrant, refuseUpgrade, roomGrantHeader } from "./sockets.ts";

const storageKey = "room";
const shareKey = "share";
const maxDetailLength = 200;
/** Segments are numbered from here, ms since the epoch. */
const firstSegmentAt = Date.UTC(2020, 0);

/** Rate-limit key for provider sessions: the account, a guest's network address, or the ticket without an address. */
function getSessionBudgetKey({ userId, address }: Payer, recordingId: string): string {
  if (userId !== null) return `user:${userId}`;
  return address === null ? `ticket:${recordingId}` : `guest:${address}`;
}

/**
 * One recording. Owns the storage, the alarm and the ledger writes; the rules are the pure reducer in
 * `src/server/recording/room`.
 */
export class RecordingRoom extends ReducerRoom<RoomEvent> implements RoomCalls {
  #room: RoomState;
  /** The current provider session; `session` is null while it is being opened. */
  #provider: { id: number; session: SpeechSession | null; abort: AbortController } | null = null;
  /** By the id of the socket. */
  readonly #readings = new Map<string, ClientReading>();
  readonly #alarm: RoomAlarm;
  /** To the readers of the lecture; null while nobody reads along. */
  #shareLink: ShareLink | null = null;
  /** For the first reader, who joins in the middle of a sentence. */
  readonly #recentWords = new RecentWords();

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#alarm = new RoomAlarm(
      (at) => void ctx.storage.setAlarm(at),
      () => this.#wake(),
    );
    this.#room = createRoomState(null, [], this.now());
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.get([storageKey, shareKey]);
      this.#restore(stored.get(storageKey));
      const shareId = stored.get(shareKey);
      const { client, usage } = this.#room;
      // Otherwise the share was told that the recording has ended, and is told nothing until the next one.
      const mayBeLive = client !== null || usage.segments.some(({ closed }) => !closed);
      if (typeof shareId === "string") this.#linkShare(shareId, mayBeLive ? "live" : null);
    });
  }

  /** The upgrade, with the route's grant. Returns 426 for anything else, 429 after a violation. */
  override async fetch(request: Request): Promise<Response> {
    const grant = readGrant(request, roomGrantHeader, roomGrantSchema);
    if (!isUpgradeRequest(request)) return refuseUpgrade("upgrade_required");
    if (!canConnect(this.#room, this.now())) return refuseUpgrade("rate_limited");
    const socketId = crypto.randomUUID();
    const { searchParams } = new URL(request.url);
    const tab = uuid.safeParse(searchParams.get(tabParam)).data ?? null;
    // A client without a tab id always takes over.
    const takesOver = tab === null || searchParams.get(takeOverParam) === "1";
    const attachment: RoomSocket = { socketId, grant, tab, connectedAt: this.now() };
    const response = this.accept(socketId, attachment);
    this.dispatch({ type: "clientConnected", socketId, grant, tab, takesOver });
    return response;
  }

  stopDeleted(userId: string): void {
    this.dispatch({ type: "lectureDeleted", userId });
  }

  reportEndedSessions(userId: string): void {
    this.dispatch({ type: "sessionsEnded", userId });
  }

  startSharing(userId: string, shareId: string): void {
    const { payer } = this.#room;
    if (payer.userId !== null && payer.userId !== userId) return;
    void this.ctx.storage.put(shareKey, shareId);
    this.dispatch({ type: "shareStored" });
    this.#linkShare(shareId, null);
    this.#shareLink?.start(this.#room, this.#recentWords);
  }

  stopSharing(shareId: string): void {
    if (this.#shareLink?.shareId !== shareId) return;
    this.#shareLink = null;
    void this.ctx.storage.delete(shareKey);
  }

  /** For a room that an earlier version has stored: every step sets the alarm that deletes it. */
  scheduleDeletion(): void {
    if (this.#shareLink) this.dispatch({ type: "shareStored" });
    else this.#wake();
  }

  /** A closed socket may still deliver frames. These, and frames beyond the limit, are not parsed. */
  override webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): void {
    const socketId = this.getId(socket);
    if (socketId === undefined || this.#room.client?.socketId !== socketId) return;
    const message = canParse(this.#room, this.now())
      ? parseClientFrame(frame)
      : ({ type: "excess" } as const);
    const reading = this.#getReading(socketId);
    if (message.type === "probe") reading.accept(message.probe);
    if (message.type === "config") reading.answersProbes = message.config.answersProbes === true;
    this.dispatch({ type: "clientMessage", socketId, message });
  }

  protected override onSocketClosed(socketId: string, code: number): void {
    this.#readings.delete(socketId);
    this.dispatch({ type: "clientClosed", socketId, code });
  }

  override alarm(): void {
    this.#alarm.onFired();
    this.#wake();
  }

  #wake(): void {
    this.dispatch({ type: "alarm" });
  }

  /** Restores the state from the snapshot and the hibernated sockets. */
  #restore(stored: unknown): void {
    const snapshot = parseSnapshot(stored);
    if (stored !== undefined && snapshot === null) {
      this.services.logger.error("room_unreadable");
      void this.ctx.storage.deleteAll();
    }
    const sockets = this.restoreSockets(roomSocketSchema, ({ socketId }) => socketId);
    const now = this.now();
    const salt = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
    // A number in seconds is higher than any segment that was written before what was stored was deleted.
    const firstSegment = Math.floor((now - firstSegmentAt) / 1_000);
    const random = { salt, firstSegment };
    const { recognizer, speechPace: pace } = this.services.env;
    this.#room = createRoomState(snapshot, sockets, now, random, { recognizer, pace });
  }

  #linkShare(shareId: string, recording: RecordingState | null): void {
    const stop = () => this.stopSharing(shareId);
    this.#shareLink = new ShareLink(this.env.SHARE_ROOM, shareId, recording, stop);
  }

  protected override handle(event: RoomEvent): void {
    const { state, effects } = step(this.#room, event, this.now(), Math.random());
    this.#room = state;
    for (const effect of effects) this.#run(effect);
    this.#recentWords.add(effects);
    this.#shareLink?.observe(event, state, effects);
  }

  /** Storage writes are not awaited: the runtime holds back messages until earlier writes are durable. */
  #run(effect: RoomEffect): void {
    switch (effect.type) {
      case "send":
        this.#send(effect);
        return;
      case "closeClient":
        this.#close(effect.socketId, effect.code, effect.reason);
        return;
      case "openProvider":
        void this.#openProvider(effect);
        return;
      case "sendAudio":
        this.#provider?.session?.sendAudio(effect.data);
        return;
      case "releaseAudio":
        // A chunk of PCM has a buffer of its own, which the garbage collector would keep until its next full collection.
        for (const { buffer } of effect.data) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
        return;
      case "sendControl":
        this.#provider?.session?.sendControl(effect.control);
        return;
      case "changeTerms":
        this.#provider?.session?.changeTerms?.(effect.terms);
        return;
      case "closeProvider":
        this.#closeProvider(effect.sessionId);
        return;
      case "writeUsage":
        void this.#writeUsage(effect.flushId, effect.write);
        return;
      case "notifyUser":
        void this.services.userEvents.reportProfileChange(effect.userId);
        return;
      case "persist":
        void this.ctx.storage.put(storageKey, effect.room, { allowUnconfirmed: !effect.confirmed });
        if (this.#provider) this.#alarm.renewWithSnapshot(this.now());
        return;
      case "deleteStorage":
        void this.ctx.storage.deleteAll();
        return;
      case "setAlarm":
        this.#alarm.set(effect.at, this.now(), this.#provider !== null);
        return;
      case "log":
        this.services.logger[effect.level](effect.event, effect.fields);
        return;
      default:
        effect satisfies never;
    }
  }

  /** A client that does not read is closed, and must connect again. */
  #send({ socketId, message }: Extract<RoomEffect, { type: "send" }>): void {
    if (!this.sockets.has(socketId)) return;
    const reading = this.#getReading(socketId);
    const frame = JSON.stringify(this.#markDemo(message));
    if (!reading.add(frame)) {
      const { recordingId } = this.#room;
      this.services.logger.info("client_does_not_read", { recordingId });
      this.#close(socketId, relayClose.restart, "What was sent before was not read.");
      this.dispatch({ type: "clientClosed", socketId, code: relayClose.restart });
      return;
    }
    this.send(socketId, frame);
    const probe = reading.createProbe();
    if (probe === null) return;
    const question: RelayServerMessage = { type: "probe", probe };
    this.send(socketId, JSON.stringify(question));
  }

  #close(socketId: string, code: number, reason: string): void {
    this.closeSocket(socketId, code, reason);
    this.#readings.delete(socketId);
  }

  #getReading(socketId: string): ClientReading {
    let reading = this.#readings.get(socketId);
    if (reading === undefined) {
      reading = new ClientReading();
      this.#readings.set(socketId, reading);
    }
    return reading;
  }

  #markDemo(message: RelayServerMessage): RelayServerMessage {
    const { standIns, isDemoDefault } = this.services.env;
    if (!standIns.speech) return message;
    if (message.type === "tokens") return { ...message, isDemoVoice: true };
    const needsDemoChoice = message.type === "config_acknowledged" && !isDemoDefault;
    return needsDemoChoice ? { ...message, needsDemoChoice } : message;
  }

  async #openProvider({
    sessionId,
    start,
    payer,
    level,
    isCounted,
  }: Extract<RoomEffect, { type: "openProvider" }>) {
    const { streams, paidStreams } = this.services.limits;
    const abort = new AbortController();
    const provider = { id: sessionId, session: null as SpeechSession | null, abort };
    this.#provider = provider;
    try {
      const budget = planLimits[level].sessionBudget === "paid" ? paidStreams : streams;
      const key = getSessionBudgetKey(payer, this.#room.recordingId);
      if (!isCounted && !(await budget.allow(key))) {
        this.dispatch({ type: "providerDeferred", sessionId, waitMs: null });
        return;
      }
      const waitMs = await this.#reserveOpening();
      if (waitMs > 0) {
        this.dispatch({ type: "providerDeferred", sessionId, waitMs });
        return;
      }
      if (abort.signal.aborted) return;
      const session = await openSpeechSession(
        this.services.env.speech,
        start,
        {
          message: (message) => this.dispatch({ type: "providerMessage", sessionId, message }),
          closed: (code) => this.dispatch({ type: "providerClosed", sessionId, code }),
        },
        abort.signal,
      );
      // Closed while it was being opened.
      if (abort.signal.aborted) {
        session.close();
        return;
      }
      provider.session = session;
      const { answersSilence } = session;
      const canChangeTerms = session.changeTerms !== undefined;
      this.dispatch({ type: "providerOpened", sessionId, canChangeTerms, answersSilence });
    } catch (error) {
      const detail =
        error instanceof Error ? error.message.slice(0, maxDetailLength) : typeof error;
      this.dispatch({ type: "providerFailed", sessionId, detail });
    }
  }

  /** How long the room waits for its time to open a session, ms. If nobody knows, the service decides. */
  async #reserveOpening(): Promise<number> {
    const { openings } = this.services.env.speech;
    if (openings === null) return 0;
    try {
      const site = this.env.SPEECH_OPENINGS.getByName("site");
      return await site.reserve(this.#room.recordingId, openings);
    } catch {
      this.services.logger.warn("openings_not_reached");
      return 0;
    }
  }

  #closeProvider(sessionId: number): void {
    if (this.#provider?.id !== sessionId) return;
    this.#provider.abort.abort();
    this.#provider.session?.close();
    this.#provider = null;
  }

  /** Counts what the segment has grown by since its last write. A late answer is not: its write is repeated. */
  #countSound(flushId: number, { segment, recordedMs, payer }: UsageWrite): void {
    const { inFlight, segments } = this.#room.usage;
    if (inFlight?.id !== flushId) return;
    const written = segments.find(({ number }) => number === segment)?.flushed?.recordedMs ?? 0;
    const labels = { payer: payer.userId === null ? "guest" : "user" };
    const value = Math.max(0, recordedMs - written) / 1_000;
    count({ name: "dualect_recorded_seconds_total", labels, value });
  }

  async #writeUsage(flushId: number, write: UsageWrite): Promise<void> {
    try {
      const result = await flushAndReauthorize(this.services, write);
      this.#countSound(flushId, write);
      this.dispatch({ type: "usageFlushed", flushId, result });
    } catch {
      // The error is not logged, because it may quote the statement; the room logs the failure count.
      this.dispatch({ type: "usageFailed", flushId });
    }
  }
}
