import {
  ApiError,
  type CallOptions,
  type MicrophoneChoice,
  type RecordingSession,
  type SessionApi,
  type SessionNotice,
  type TranscriptRow,
} from "../../../../../src/client/realtime/contract.ts";
import {
  type AudioFault,
  type AudioHandlers,
  AudioSourceError,
  type SessionPorts,
  type SpooledChunk,
  type SpooledRecording,
  type SpoolStorage,
} from "../../../../../src/client/realtime/ports.ts";
import {
  createRecordingSession,
  type RecordingSessionOptions,
} from "../../../../../src/client/realtime/session.ts";
import type { TargetLanguage } from "../../../../../src/shared/languages.ts";
import type { Lecture, TranscriptEntry } from "../../../../../src/shared/lecture.ts";
import { ManualClock } from "./manual-clock.ts";
import { SimulatedRoom, sound } from "./simulated-room.ts";

interface StoredLecture {
  title: string;
  status: "draft" | "completed";
  targetLanguage: TargetLanguage;
  summary: string | null;
  context: string | null;
  speakerNames: Record<string, string>;
  entries: TranscriptEntry[];
  originalText: string;
  translatedText: string;
}

/** The server's procedures over memory, with their rules: no gap, higher revision wins, no other sentence in the place of one. */
class FakeServer implements SessionApi {
  readonly lectures = new Map<string, StoredLecture>();
  readonly translations: Parameters<SessionApi["translate"]>[0][] = [];
  readonly appends: { from: number; count: number }[] = [];
  readonly tickets: (string | null)[] = [];
  readonly titles: string[] = [];
  readonly changes: Parameters<SessionApi["changeLecture"]>[0][] = [];
  /** Calls that are to outlive the page. */
  readonly parting: string[] = [];
  readonly contexts: string[] = [];
  /** Seconds that lecture `id` was recorded. */
  usedTime: (id: string) => number = () => 0;
  context: (text: string) => Promise<string> = () => Promise.resolve("Greek grammar.");
  summary: (text: string) => AsyncIterable<string> = async function* (text) {
    yield "## Summary\n";
    yield `of ${text.length} characters.`;
  };
  ticketMs = 600_000;
  /** Called first; what it throws is the answer. */
  before: (call: keyof SessionApi) => void | Promise<void> = () => {};
  translation: (text: string) => Promise<string> = (text) => Promise.resolve(`«${text}»`);
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  async translate(input: Parameters<SessionApi["translate"]>[0]): Promise<string> {
    this.translations.push(input);
    await this.before("translate");
    return this.translation(input.text);
  }

  async createLecture(input: Parameters<SessionApi["createLecture"]>[0]): Promise<void> {
    await this.before("createLecture");
    const { id, title, targetLanguage } = input;
    this.titles.push(title);
    // A repeated call makes one lecture.
    if (this.lectures.has(id)) return;
    this.lectures.set(id, {
      title,
      status: "draft",
      targetLanguage,
      summary: null,
      context: null,
      speakerNames: {},
      entries: [],
      originalText: "",
      translatedText: "",
    });
  }

  async appendEntries(
    input: Parameters<SessionApi["appendEntries"]>[0],
    options?: CallOptions,
  ): Promise<void> {
    if (options?.keepalive) this.parting.push("appendEntries");
    await this.before("appendEntries");
    const { entries } = this.#lecture(input.lectureId);
    if (input.from > entries.length) throw new ApiError("entries_gap", false);
    const taken = input.entries.some((entry, index) => {
      const known = entries[input.from + index];
      return known !== undefined && known.startMs !== entry.startMs;
    });
    if (taken) throw new ApiError("conflict", false);
    this.appends.push({ from: input.from, count: input.entries.length });
    input.entries.forEach((entry, index) => {
      const at = input.from + index;
      const known = entries[at];
      if (known === undefined || entry.revision > known.revision) entries[at] = entry;
    });
  }

  async changeLecture(
    input: Parameters<SessionApi["changeLecture"]>[0],
    options?: CallOptions,
  ): Promise<void> {
    if (options?.keepalive) this.parting.push("changeLecture");
    await this.before("changeLecture");
    const { id, ...fields } = input;
    this.changes.push(input);
    Object.assign(this.#lecture(id), fields);
  }

  async generateContext(text: string): Promise<string> {
    this.contexts.push(text);
    await this.before("generateContext");
    return this.context(text);
  }

  async *summarize(input: Parameters<SessionApi["summarize"]>[0]): AsyncGenerator<string> {
    await this.before("summarize");
    yield* this.summary(input.text);
  }

  async completeLecture(input: Parameters<SessionApi["completeLecture"]>[0]): Promise<void> {
    await this.before("completeLecture");
    Object.assign(this.#lecture(input.id), { status: "completed", title: input.title });
  }

  async getLecture(id: string): Promise<Lecture> {
    await this.before("getLecture");
    const lecture = this.#lecture(id);
    return {
      id,
      ...lecture,
      entries: [...lecture.entries],
      folderId: null,
      createdAt: "2026-11-20T09:00:00Z",
      updatedAt: "2026-11-20T09:00:00Z",
      preview: "",
      usedTime: this.usedTime(id),
    };
  }

  async guestTicket(previous: string | null) {
    await this.before("guestTicket");
    this.tickets.push(previous);
    const expiresAt = new Date(this.#clock.now() + this.ticketMs).toISOString();
    return { recordingId: "guest-recording", ticket: `t${this.tickets.length}`, expiresAt };
  }

  #lecture(id: string): StoredLecture {
    const lecture = this.lectures.get(id);
    if (lecture === undefined) throw new ApiError("not_found", false);
    return lecture;
  }
}

/** A spool that outlives sessions, as a browser's does its pages. */
class MemorySpool implements SpoolStorage {
  readonly recordings = new Map<
    string,
    { chunks: SpooledChunk[]; nextSeq: number; savedMs: number }
  >();
  /** Nothing can be read or written. */
  fails = false;
  /** Nothing can be removed. */
  stuck = false;

  async read(recordingId: string): Promise<SpooledRecording | null> {
    this.#check();
    const recording = this.recordings.get(recordingId);
    if (recording === undefined) return null;
    const { chunks, nextSeq, savedMs } = recording;
    return { firstSeq: chunks[0]?.seq ?? nextSeq, nextSeq, savedMs };
  }

  async chunks(recordingId: string, from: number, to: number): Promise<SpooledChunk[]> {
    const chunks = this.recordings.get(recordingId)?.chunks ?? [];
    return structuredClone(chunks.filter(({ seq }) => seq >= from && seq < to));
  }

  async append(recordingId: string, chunks: readonly SpooledChunk[]): Promise<void> {
    this.#check();
    const recording = this.#recording(recordingId);
    recording.chunks.push(...chunks);
    recording.nextSeq = (chunks.at(-1)?.seq ?? recording.nextSeq - 1) + 1;
  }

  async release(recordingId: string, seq: number, savedMs: number): Promise<void> {
    this.#check();
    const recording = this.#recording(recordingId);
    recording.chunks = recording.chunks.filter((chunk) => chunk.seq >= seq);
    recording.savedMs = savedMs;
  }

  async shift(recordingId: string, delta: number): Promise<void> {
    const recording = this.#recording(recordingId);
    recording.chunks = recording.chunks.map((chunk) => ({ ...chunk, seq: chunk.seq + delta }));
    recording.nextSeq += delta;
  }

  async forget(recordingId: string): Promise<void> {
    if (this.stuck) throw new DOMException("gone", "InvalidStateError");
    this.recordings.delete(recordingId);
  }

  async sweep(): Promise<void> {}

  #check(): void {
    if (this.fails) throw new DOMException("full", "QuotaExceededError");
  }

  #recording(recordingId: string) {
    const known = this.recordings.get(recordingId);
    const recording = known ?? { chunks: [], nextSeq: 0, savedMs: 0 };
    this.recordings.set(recordingId, recording);
    return recording;
  }
}

/** A microphone that says what it is told to. */
class FakeMicrophone {
  fault: AudioFault | null = null;
  /** Resolves when the person answers the browser's question. */
  answer: Promise<void> = Promise.resolve();
  works = true;
  opened = 0;
  open: AudioHandlers | null = null;
  openId: string | null = null;
  /** Devices that are not there, or refuse. */
  readonly faults = new Map<string | null, AudioFault>();
  devices: MicrophoneChoice[] = [];
  readonly listeners = new Set<() => void>();
  openNow = 0;
  greatestOpen = 0;

  readonly source: SessionPorts["audio"] = {
    supported: () => this.works,
    devices: async () => [...this.devices],
    onDevices: (listener) => {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    },
    open: async (handlers, signal, deviceId) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new AudioSourceError("failed")));
      });
      await Promise.race([this.answer, aborted]);
      const fault = this.fault ?? this.faults.get(deviceId) ?? null;
      if (fault !== null) throw new AudioSourceError(fault);
      this.opened += 1;
      this.openNow += 1;
      this.greatestOpen = Math.max(this.greatestOpen, this.openNow);
      this.open = handlers;
      this.openId = deviceId;
      return {
        level: () => 0.5,
        stop: async () => {
          if (this.open === handlers) this.open = null;
          this.openNow -= 1;
        },
      };
    },
  };
}

/** One browser page on a server, a room and a spool that outlive it. */
export class Page {
  readonly notices: SessionNotice[] = [];
  readonly microphone = new FakeMicrophone();
  readonly session: RecordingSession;
  readonly log: string[] = [];
  readonly wake = new Set<() => void>();
  readonly hide = new Set<() => void>();
  /** Recordings that this page has claimed; as with a browser's locks, it cannot do so twice. */
  readonly claimed = new Set<string>();
  /** Screens kept awake. */
  awake = 0;
  readonly #world: World;

  constructor(world: World, options: Partial<RecordingSessionOptions> = {}) {
    this.#world = world;
    let id = 0;
    const listen = (listeners: Set<() => void>) => (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    this.session = createRecordingSession({
      api: world.server,
      identity: "user",
      targetLanguage: "zh-cn",
      diarization: true,
      ports: {
        clock: world.clock,
        audio: this.microphone.source,
        transport: world.room,
        spool: world.spool,
        page: {
          onWake: listen(this.wake),
          onHide: listen(this.hide),
          keepAwake: () => {
            this.awake += 1;
            return () => {
              this.awake -= 1;
            };
          },
        },
        log: { warn: (event) => this.log.push(event) },
        claim: async (recordingId) => {
          if (this.claimed.has(recordingId)) return null;
          this.claimed.add(recordingId);
          return () => this.claimed.delete(recordingId);
        },
        random: () => 0.5,
        newId: () => {
          id += 1;
          return `lecture-${id}`;
        },
      },
      ...options,
    });
    this.session.onNotice((notice) => this.notices.push(notice));
  }

  get kinds(): SessionNotice["kind"][] {
    return this.notices.map((notice) => notice.kind);
  }

  get view() {
    return this.session.view.get();
  }

  rows(): TranscriptRow[] {
    return this.session.transcript.blocks.get().flatMap((block) => [...block.rows]);
  }

  /** The English of all rows. */
  text(): string {
    return this.rows()
      .map((row) => row.english)
      .join(" ");
  }

  /** Says words `from` to `to`, one a chunk. */
  async say(from: number, to: number): Promise<void> {
    for (let word = from; word <= to; word += 1) await this.hear(word);
  }

  /** One chunk: word `word`, or silence (0). */
  async hear(word: number): Promise<void> {
    this.microphone.open?.chunk(sound(word));
    await this.#world.clock.advance(256);
  }

  /** Runs `operation` while time goes on, to its end. */
  async finish(operation: Promise<void>): Promise<void> {
    let done = false;
    void operation.then(() => {
      done = true;
    });
    await this.#world.clock.until(() => done, 120_000);
  }
}

export class World {
  readonly clock = new ManualClock();
  readonly server = new FakeServer(this.clock);
  readonly room = new SimulatedRoom(this.clock);
  readonly spool = new MemorySpool();

  page(options: Partial<RecordingSessionOptions> = {}): Page {
    return new Page(this, options);
  }
}
