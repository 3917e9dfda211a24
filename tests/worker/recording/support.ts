import { runInDurableObject, SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { inject } from "vitest";
import { lectures, usageLedger, users } from "#drizzle/schema.ts";
import { createSessions } from "#server/auth/sessions.ts";
import { signGuestTicket } from "#server/recording/guest-ticket.ts";
import { getPeriod } from "#server/recording/plan-limits.ts";
import type { UsageWrite } from "#server/recording/room/events.ts";
import { roomSnapshotSchema } from "#server/recording/room/snapshot.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { chunkSamples } from "#shared/limits.ts";
import { decodeOpusChunk, encodeOpusChunk } from "#shared/opus.ts";
import {
  type AudioCodec,
  encodeAudioFrame,
  type RelayClientMessage,
  type RelayServerMessage,
  relayServerMessage,
} from "#shared/relay.ts";
import {
  createLectureFixture,
  type LectureFixture,
  type LecturePlan,
} from "#tests/fixtures/lecture.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { getServices } from "#worker/services.ts";

export const origin = "https://dualect.test";
/** The take of a test that needs one. */
export const takeId = "0190a000-0000-7000-8000-000000000002";
/** The `config` of a test that needs no other one. */
export const streamConfig = {
  type: "config",
  sampleRate: 16_000,
  language: "en",
  version: 2,
  take: takeId,
} as const;
export const services = getServices(env);

export interface Recorder {
  userId: string;
  lectureId: string;
  /** Goes into the `cookie` header. */
  cookie: string;
}

/** A signed-in user with one lecture. */
export async function createRecorder(): Promise<Recorder> {
  const userId = crypto.randomUUID();
  await services.db
    .insert(users)
    .values({ id: userId, email: `${userId}@example.org`, passwordHash: "none" });
  const lectureId = await addLecture(userId);
  const cookie = await createSessions(services.db, { secure: false }).start(userId);
  return { userId, lectureId, cookie: cookie.split(";")[0] ?? "" };
}

export async function addLecture(userId: string): Promise<string> {
  const id = crypto.randomUUID();
  const lecture = { id, userId, title: "Lecture", targetLanguage: "zh-cn" } as const;
  await services.db.insert(lectures).values(lecture);
  return id;
}

/** A write to the ledger of this month. */
export function createWrite<Payer>(
  recordingId: string,
  over: { payer: Payer } & Partial<Omit<UsageWrite, "payer">>,
) {
  const startedAt = Date.now();
  const period = getPeriod(startedAt, { userId: "a user" });
  const segment = { segment: 0, period, startedAt, recordedMs: 1, closed: false };
  return { recordingId, signInSessionId: null, ...segment, ...over };
}

export async function createGuest(): Promise<{ recordingId: string; ticket: string }> {
  const recordingId = crypto.randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const secret = services.env.guestTicketSecret;
  return { recordingId, ticket: signGuestTicket(secret, { recordingId, expiresAt }) };
}

export const getRecordingUrl = (recordingId: string) => `${origin}/api/recordings/${recordingId}`;

export function upgrade(url: string, headers: Record<string, string>): Promise<Response> {
  return SELF.fetch(url, { headers: { upgrade: "websocket", origin, ...headers } });
}

export const getRoom = (recordingId: string) => env.RECORDING_ROOM.getByName(recordingId);

/** Reads the room's storage. */
export const readSnapshot = (recordingId: string) =>
  runInDurableObject(getRoom(recordingId), async (_, state) =>
    roomSnapshotSchema.parse(await state.storage.get("room")),
  );

/** Injects failures into the speech stand-in; see `local/soniox/failure-injection.ts`. */
export async function speech(
  control: Record<string, unknown>,
): Promise<{ open: number; sessions: { error: number | null }[] }> {
  const url = services.env.speech.url
    .replace(/^ws/, "http")
    .replace(/transcribe-websocket$/, "control");
  const response = await fetch(url, { method: "POST", body: JSON.stringify(control) });
  return response.json();
}

/** Adds recorded time of this month. */
export async function useUp(userId: string, ms: number): Promise<void> {
  const now = new Date();
  await services.db.insert(usageLedger).values({
    recordingId: crypto.randomUUID(),
    segment: 0,
    userId,
    recordedMs: ms,
    month: getPeriod(now.getTime(), { userId }),
    startedAt: now,
    flushedAt: now,
    closedAt: now,
  });
}

/** A recording's ledger segments in order. */
export function readLedger(recordingId: string) {
  return services.db
    .select()
    .from(usageLedger)
    .where(eq(usageLedger.recordingId, recordingId))
    .orderBy(usageLedger.segment);
}

/** A lecture in the test pattern as chunks. */
export interface SpokenLecture {
  codec: AudioCodec;
  chunkMs: number;
  chunks: Uint8Array<ArrayBuffer>[];
  /** Opus: the same chunks with the packets before them, for the first one after a `config`. */
  chunksWithLeadIn: Uint8Array<ArrayBuffer>[];
  words: LectureFixture["words"];
  /** As in the fixture's plan. */
  languages: readonly SpokenLanguage[];
  text: string;
}

/** What `config` says of the lecture's languages. */
export const toLanguageConfig = ({
  languages: [first, second],
}: Pick<SpokenLecture, "languages">) =>
  first === undefined
    ? { language: "detect" as const }
    : { language: first, secondLanguage: second };

/** A lecture as PCM of 16 kHz. */
export function spoken(plan: LecturePlan = {}): SpokenLecture {
  const fixture = createLectureFixture({ leadInMs: 500, tailMs: 500, ...plan, sampleRate: 16_000 });
  const { words, samples } = fixture;
  const chunks = slicePcm(samples);
  const { languages = ["en"] } = plan;
  return {
    codec: "pcm_s16le",
    chunkMs: 256,
    chunks,
    chunksWithLeadIn: [],
    languages,
    ...withText(words),
  };
}

/** A lecture of 30 words in Opus. */
export function spokenInOpus(): SpokenLecture {
  const { plan, chunks } = inject("opusLecture");
  const chunksWithLeadIn = chunks.map((chunk) => Uint8Array.from(Buffer.from(chunk, "base64")));
  return {
    codec: "opus",
    chunkMs: 260,
    chunks: chunksWithLeadIn.map(removeLeadIn),
    chunksWithLeadIn,
    languages: ["en"],
    ...withText(createLectureFixture(plan).words),
  };
}

function removeLeadIn(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const packets = decodeOpusChunk(payload)?.packets ?? [];
  return encodeOpusChunk({ packets, leadIn: [] });
}

const withText = (words: LectureFixture["words"]) => ({
  words,
  text: words.map(({ text }) => text).join(" "),
});

function slicePcm(spoken: Float32Array): Uint8Array<ArrayBuffer>[] {
  const whole = Math.ceil(spoken.length / chunkSamples) * chunkSamples;
  const samples = new Float32Array(whole);
  samples.set(spoken);
  const bytes = encodePcm16(samples);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += 2 * chunkSamples)
    chunks.push(bytes.slice(at, at + 2 * chunkSamples));
  return chunks;
}

let sounds = 0;
/** A chunk of new audio. */
export function newSound(): Uint8Array<ArrayBuffer> {
  sounds += 1;
  const pcm = new Uint8Array(8_192);
  new DataView(pcm.buffer).setUint32(0, sounds);
  return pcm;
}

/** A socket to a room with all received messages. */
export class Line {
  readonly received: RelayServerMessage[] = [];
  closed: { code: number; reason: string } | null = null;
  #wake: (() => void)[] = [];
  #listener: ((message: RelayServerMessage) => void) | null = null;

  constructor(readonly socket: WebSocket) {
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      const message = relayServerMessage.parse(JSON.parse(String(data)));
      this.received.push(message);
      this.#listener?.(message);
      this.#notify();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#notify();
    });
  }

  static async open(recordingId: string, headers: Record<string, string>): Promise<Line> {
    const response = await upgrade(getRecordingUrl(recordingId), headers);
    if (!response.webSocket) throw new Error(`no upgrade: ${response.status}`);
    return new Line(response.webSocket);
  }

  /** Sends the chunks from number 0 on, and waits for the last words. */
  async speakAll(
    chunks: readonly Uint8Array[],
    encoding: "base64" | "binary" = "binary",
  ): Promise<void> {
    const { length } = this.received;
    for (const [seq, pcm] of chunks.entries()) this.audio(seq, pcm, encoding);
    this.send({ type: "finalize" });
    await this.until(() => this.received.slice(length).find(({ type }) => type === "finalized"));
  }

  /** Calls `listener` with each further message. */
  listen(listener: (message: RelayServerMessage) => void): void {
    this.#listener = listener;
  }

  send(message: RelayClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  audio(seq: number, pcm: Uint8Array, encoding: "base64" | "binary" = "base64"): void {
    if (encoding === "binary") this.socket.send(encodeAudioFrame(seq, pcm));
    else this.send({ type: "audio", data: Buffer.from(pcm).toString("base64"), seq });
  }

  /** The first message of `type`, received or awaited. */
  async message<T extends RelayServerMessage["type"]>(
    type: T,
    also: (message: Extract<RelayServerMessage, { type: T }>) => boolean = () => true,
  ): Promise<Extract<RelayServerMessage, { type: T }>> {
    const isIt = (one: RelayServerMessage): one is Extract<RelayServerMessage, { type: T }> =>
      one.type === type;
    return this.until(() => this.received.filter(isIt).find(also));
  }

  /** Resolves with the first result of `find` that is not null. */
  async until<T>(find: () => T | undefined | null): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== null) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  closing(): Promise<{ code: number; reason: string }> {
    return this.until(() => this.closed);
  }

  /** The final tokens so far. */
  get finals() {
    return this.received
      .filter((one) => one.type === "tokens")
      .flatMap((one) => one.tokens.filter((token) => token.is_final));
  }

  get text(): string {
    return this.finals
      .map((token) => token.text)
      .join("")
      .trim();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const run of wake) run();
  }
}
