import * as z from "zod/mini";
import { toLogFields } from "#server/errors.ts";
import type { ShareChange } from "#server/ports.ts";
import { sendWebhooks } from "#server/programs/send-webhooks.ts";
import { OwnersTerms } from "#server/sharing/owners-terms.ts";
import {
  endShareById,
  readShareTranslations,
  writeShareTranslation,
} from "#server/sharing/queries.ts";
import { readSource } from "#server/sharing/read-source.ts";
import type { SharedSpeech, ShareEffect, ShareEvent } from "#server/sharing/room/events.ts";
import { toFrame } from "#server/sharing/room/outgoing.ts";
import { createReaderState, restoreReader } from "#server/sharing/room/readers.ts";
import { step } from "#server/sharing/room/reducer.ts";
import { createShareState, type ShareState } from "#server/sharing/room/state.ts";
import { readerSchema, readerSince } from "#server/sharing/room/stored.ts";
import { translateForReaders } from "#server/sharing/translate-for-readers.ts";
import { AppError } from "#shared/errors.ts";
import { targetLanguages } from "#shared/languages.ts";
import { shareClientMessage, shareClosedCode, shareSilenceMs } from "#shared/share.ts";
import { sharePing, sharePong } from "#shared/site.ts";
import type { RoomCalls, ShareRoomCalls } from "#worker/adapters/durable-objects.ts";
import { ReducerRoom } from "./reducer-room.ts";
import { ShareStorage } from "./share-storage.ts";
import {
  isUpgradeRequest,
  listOpenSockets,
  readGrant,
  refuseUpgrade,
  shareGrantHeader,
} from "./sockets.ts";

/** What the route grants: reading this share. */
const grantSchema = z.object({
  shareId: z.string(),
  /** Otherwise it is a page of the version before. */
  answersProbes: z.boolean(),
  language: z.enum(targetLanguages),
  since: readerSince,
});
export type ShareGrant = z.infer<typeof grantSchema>;

/** A socket's attachment. */
const attachmentSchema = z.extend(readerSchema, { joinedAt: z.number() });
type Attachment = z.infer<typeof attachmentSchema>;

const messageMaxLength = 100;

/**
 * One share: sends the lecture's text to its readers, in their languages. Owns the storage and the timer, and calls the
 * database and the model; the rules are the pure reducer in `src/server/sharing/room`.
 */
export class ShareRoom extends ReducerRoom<ShareEvent> implements ShareRoomCalls {
  #state: ShareState;
  #shareId = "";
  readonly #storage;
  readonly #terms = new OwnersTerms();
  /** Of the translations that are under way. */
  readonly #translations = new Set<AbortController>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#storage = new ShareStorage(ctx.storage);
    this.#state = createShareState(null, [], crypto.randomUUID());
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(sharePing, sharePong));
    ctx.blockConcurrencyWhile(() => this.#restore());
  }

  /** The upgrade, with the route's grant. Returns 426 for anything else. */
  override async fetch(request: Request): Promise<Response> {
    const { shareId, ...grant } = readGrant(request, shareGrantHeader, grantSchema);
    if (!isUpgradeRequest(request)) return refuseUpgrade("upgrade_required");
    this.#shareId = shareId;
    const readersMax = this.#state.source?.readersMax ?? Number.POSITIVE_INFINITY;
    // What these have not read stays in memory until their connections end.
    if (this.closing.size >= readersMax) return refuseUpgrade("busy");
    if (this.sockets.size >= readersMax) this.#dropSilentReaders();
    const readerId = crypto.randomUUID();
    const joined = { ...grant, readerId };
    const attachment: Attachment = { ...createReaderState(joined), joinedAt: this.now() };
    const response = this.accept(readerId, attachment);
    this.dispatch({ ...joined, type: "joined" });
    return response;
  }

  async reportChange(shareId: string, change: ShareChange): Promise<void> {
    this.#shareId = shareId;
    this.dispatch({ type: "changed", ...change });
  }

  async reportEnd(shareId: string): Promise<void> {
    this.#shareId = shareId;
    this.dispatch({ type: "ended" });
  }

  async countReaders(): Promise<number> {
    return this.sockets.size;
  }

  async reportSpeech(shareId: string, speech: SharedSpeech): Promise<boolean> {
    this.#shareId = shareId;
    this.dispatch({ type: "spoken", ...speech });
    return !this.#state.hasEnded;
  }

  async scheduleDeletion(shareId: string): Promise<void> {
    this.#shareId = shareId;
    this.dispatch({ type: "alarm" });
  }

  override webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): void {
    const readerId = this.getId(socket);
    if (readerId === undefined || !this.sockets.has(readerId)) return;
    const message = parseMessage(frame);
    if (message === null) this.dispatch({ type: "invalidMessage", readerId });
    else if (message.type === "probe")
      this.dispatch({ type: "probeAnswered", readerId, probe: message.probe });
    else this.dispatch({ type: "languageChosen", readerId, language: message.language });
  }

  protected override onSocketClosed(readerId: string, _code: number, isKnown: boolean): void {
    if (isKnown) this.dispatch({ type: "left", readerId });
  }

  override alarm(): void {
    this.dispatch({ type: "alarm" });
  }

  /** Restores the state from the storage and the hibernated sockets. */
  async #restore(): Promise<void> {
    const { shareId, stored } = await this.#storage.read();
    this.#shareId = shareId;
    const attachments = this.restoreSockets(attachmentSchema, ({ id }) => id);
    const readers = attachments.map(({ joinedAt: _, ...reader }) =>
      restoreReader(reader, this.now()),
    );
    this.#state = createShareState(stored, readers, crypto.randomUUID());
  }

  /** Readers whose connections have died without a close. */
  #dropSilentReaders(): void {
    const before = this.now() - shareSilenceMs;
    for (const { socket, attachment } of listOpenSockets(this.ctx, attachmentSchema)) {
      const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
      if (Math.max(pingedAt, attachment.joinedAt) >= before) continue;
      this.forgetSocket(socket, shareClosedCode);
      this.closing.add(socket);
      socket.close(shareClosedCode);
    }
  }

  protected override handle(event: ShareEvent): void {
    const { state, effects } = step(this.#state, event, this.now());
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: ShareEffect): void {
    switch (effect.type) {
      case "send":
        this.#send(effect);
        return;
      case "close":
        for (const id of effect.readerIds) this.closeSocket(id, effect.code);
        return;
      case "attach":
        this.#attach(effect);
        return;
      case "read":
        void this.#read(effect);
        return;
      case "readTranslations":
        void this.#readTranslations(effect);
        return;
      case "followRecording":
        void this.#callRecording(effect.recordingId, (room) =>
          room.startSharing(effect.userId, this.#shareId),
        );
        return;
      case "translate":
        void this.#translate(effect);
        return;
      case "abortTranslations":
        for (const abort of this.#translations) abort.abort();
        return;
      case "persist":
        this.#storage.write(this.#shareId, effect.share, effect.items);
        return;
      case "forgetLanguage":
        this.#storage.deleteLanguage(this.#shareId, effect.language);
        return;
      case "endShare":
        void this.#endShare();
        return;
      case "forget":
        this.#setTimer(null);
        this.#storage.deleteAll();
        if (effect.recordingId)
          void this.#callRecording(effect.recordingId, (room) => room.stopSharing(this.#shareId));
        return;
      case "setTimer":
        this.#setTimer(effect.at);
        return;
      case "setAlarm":
        this.#storage.setAlarm(this.#shareId, effect.at);
        return;
      default:
        effect satisfies never;
    }
  }

  #send({ readerIds, message }: Extract<ShareEffect, { type: "send" }>): void {
    const { text } = toFrame(message);
    for (const id of readerIds) this.send(id, text);
  }

  #attach({ reader }: Extract<ShareEffect, { type: "attach" }>): void {
    const socket = this.sockets.get(reader.id);
    const attached = attachmentSchema.safeParse(socket?.deserializeAttachment()).data;
    if (!socket || !attached) return;
    const attachment: Attachment = { ...reader, joinedAt: attached.joinedAt };
    socket.serializeAttachment(attachment);
  }

  async #read({ range }: Extract<ShareEffect, { type: "read" }>): Promise<void> {
    const { db, env, clock } = this.services;
    const share = { id: this.#shareId, mode: env.billing.mode, now: clock.now() };
    await this.#answer("share_not_read", { type: "readFailed", range }, async () => {
      const read = await readSource(db, share, range);
      if (read.source)
        await this.#terms
          .update(db, read.source, this.now())
          .catch((error) => this.#warn("terms_not_read", error));
      // Before the first read, nobody knows how many places there are.
      if (read.source && this.sockets.size > read.source.readersMax) this.#dropSilentReaders();
      return { type: "read", range, ...read };
    });
  }

  async #readTranslations({
    language,
  }: Extract<ShareEffect, { type: "readTranslations" }>): Promise<void> {
    const { source } = this.#state;
    if (source === null) return;
    const type = "translationsRead";
    await this.#answer("share_not_read", { type, language, texts: null }, async () => ({
      type,
      language,
      texts: await readShareTranslations(this.services.db, source, language),
    }));
  }

  /** Without the words of the recording's room, readers get the rows alone. */
  async #callRecording(
    recordingId: string,
    call: (room: DurableObjectStub<RoomCalls>) => Promise<void>,
  ): Promise<void> {
    try {
      await call(this.env.RECORDING_ROOM.getByName(recordingId));
    } catch (error) {
      this.#warn("recording_not_reached", error);
    }
  }

  async #translate(job: Extract<ShareEffect, { type: "translate" }>): Promise<void> {
    const { db, logger, env } = this.services;
    const shareId = this.#shareId;
    const { jobId, sentence, language } = job;
    const abort = new AbortController();
    this.#translations.add(abort);
    try {
      const services = { ...this.services, settings: env };
      const text = await translateForReaders(services, shareId, job, this.#terms, abort.signal);
      this.dispatch({ type: "translated", jobId, text });
      await writeShareTranslation(db, shareId, { ...sentence, language, translated: text }).catch(
        (error) => this.#warn("translation_not_stored", error),
      );
    } catch (error) {
      if (abort.signal.aborted) return;
      const code = error instanceof AppError ? error.code : "internal";
      logger.warn("translation_failed", { shareId, code });
      this.dispatch({ type: "translationFailed", jobId, code });
    } finally {
      this.#translations.delete(abort);
    }
  }

  async #endShare(): Promise<void> {
    const { db, clock, env } = this.services;
    const userId = this.#state.source?.userId;
    await this.#answer("share_not_ended", { type: "endFailed" }, async () => {
      await endShareById(db, this.#shareId, clock.now());
      return { type: "ended" };
    });
    if (userId === undefined) return;
    // A failure leaves it to the cron.
    await sendWebhooks({ ...this.services, siteSecret: env.guestTicketSecret }, userId).catch(
      (error) => this.#warn("webhooks_not_sent", error),
    );
  }

  /** Dispatches the answer of `call`; if it fails, logs `problem` and dispatches `failure`. */
  async #answer(
    problem: string,
    failure: ShareEvent,
    call: () => Promise<ShareEvent>,
  ): Promise<void> {
    try {
      this.dispatch(await call());
    } catch (error) {
      this.#warn(problem, error);
      this.dispatch(failure);
    }
  }

  #setTimer(at: number | null): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (at !== null)
      this.#timer = setTimeout(() => this.dispatch({ type: "timer" }), at - this.now());
  }

  #warn(event: string, error: unknown): void {
    this.services.logger.warn(event, { shareId: this.#shareId, ...toLogFields(error) });
  }
}

function parseMessage(frame: string | ArrayBuffer) {
  if (typeof frame !== "string" || frame.length > messageMaxLength) return null;
  try {
    return shareClientMessage.parse(JSON.parse(frame));
  } catch {
    return null;
  }
}
