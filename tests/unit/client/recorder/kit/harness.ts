import type {
  LectureDocument,
  RecordedView,
  TranscriptRow,
} from "#client/lecture/lecture-document.ts";
import type { RecognitionEngine } from "#client/recognition/browser/recognition-engine.ts";
import { type LivePath, livePath } from "#client/recognition/live-path.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { createRecordingSession } from "#client/recorder/recording-session.ts";
import type { RecordingSessionOptions } from "#client/recorder/session-ports.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { createChunkEncoder } from "#client/sound/capture/chunk-encoder.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { withTimeouts } from "#client/state/server-api.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { FakeEncoder } from "./fake-encoder.ts";
import { FakeMicrophone } from "./fake-microphone.ts";
import { FakeServer } from "./fake-server.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemoryTakes } from "./memory-takes.ts";
import { SimulatedRoom, sound, speech } from "./simulated-room.ts";

/** One browser tab on a server, a room and stored takes that outlive it. */
export class Page {
  readonly notices: SessionNotice[] = [];
  readonly microphone = new FakeMicrophone();
  readonly session: RecordingSession;
  readonly log: string[] = [];
  readonly wake = new Set<() => void>();
  readonly hide = new Set<() => void>();
  /** Screens kept awake. */
  awake = 0;
  readonly #world: World;

  constructor(world: World, options: Partial<RecordingSessionOptions> = {}) {
    this.#world = world;
    let ids = 0;
    const listen = (listeners: Set<() => void>) => (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    this.session = createRecordingSession({
      api: withTimeouts(world.server, world.clock),
      identity: "user",
      ...(options.identity !== "guest" && { userId: "user-1" }),
      languages: { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false },
      diarization: true,
      ports: {
        clock: world.clock,
        audio: this.microphone.source,
        transport: world.room,
        loadLivePath: () => world.live.load(),
        tabId: `tab-${world.pages}`,
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
        claim: async (id) => {
          if (world.claims.has(id)) return null;
          world.claims.set(id, this);
          return () => world.claims.delete(id);
        },
        random: () => 0.5,
        // Each page begins with a lecture, which most tests open.
        newId: () => {
          ids += 1;
          return ids === 1 ? "lecture-1" : world.newId();
        },
      },
      ...options,
    });
    this.session.onNotice((notice) => this.notices.push(notice));
  }

  /** Closes the tab, or kills its process: the browser releases its locks. */
  close(): void {
    this.session.dispose();
    const { claims } = this.#world;
    for (const [id, page] of claims) if (page === this) claims.delete(id);
  }

  get kinds(): SessionNotice["kind"][] {
    return this.notices.map((notice) => notice.kind);
  }

  get view() {
    return this.session.view.get();
  }

  /** The session's lecture. */
  get lecture(): LectureDocument {
    return this.session.lecture.get();
  }

  /** Of the session's lecture. */
  get recorded(): RecordedView {
    const { recorded } = this.lecture;
    if (!recorded) throw new Error("nothing is known of the lecture's sound");
    return recorded;
  }

  rows(): TranscriptRow[] {
    return this.lecture.transcript.blocks.get().flatMap((block) => [...block.rows]);
  }

  /** The English of all rows. */
  text(): string {
    return this.rows()
      .map((row) => row.original)
      .join(" ");
  }

  /** Says words `from` to `to`, one a chunk. */
  async say(from: number, to: number): Promise<void> {
    for (let word = from; word <= to; word += 1) await this.sayChunk(word);
  }

  /** One chunk: word `word`, or silence (0). */
  async sayChunk(word: number): Promise<void> {
    const { open, chunkSamples } = this.microphone;
    open?.chunk(sound(word, chunkSamples));
    await this.#world.clock.advance((chunkSamples * 1_000) / captureSampleRate);
  }

  /** Captures sound without words for `ms`, rounded up to whole chunks; `loud`: somebody speaks. */
  async listen(ms: number, loud = false): Promise<void> {
    const end = this.#world.clock.now() + ms;
    while (this.#world.clock.now() < end) {
      const { open, chunkSamples } = this.microphone;
      open?.chunk(loud ? speech(chunkSamples) : sound(0, chunkSamples));
      await this.#world.clock.advance((chunkSamples * 1_000) / captureSampleRate);
    }
  }

  record(options?: { engine?: SpeechEngine }): Promise<void> {
    return this.finish(this.session.record(options));
  }

  stop(): Promise<void> {
    return this.finish(this.session.stop());
  }

  save(title: string, folderId?: string | null): Promise<void> {
    return this.finish(this.session.save(title, folderId));
  }

  load(id: string): Promise<void> {
    return this.finish(this.session.load(id));
  }

  reset(options?: { quiet?: boolean }): Promise<void> {
    return this.finish(this.session.reset(options));
  }

  /** Records words `from` to `to` and stops. */
  async recordWords(from: number, to: number): Promise<void> {
    await this.record();
    await this.say(from, to);
    await this.stop();
  }

  /** Runs `operation` while time goes on, to its end. */
  async finish(operation: Promise<unknown>): Promise<void> {
    let done = false;
    void operation.then(() => {
      done = true;
    });
    await this.#world.clock.until(() => done, 120_000);
  }
}

/** The code of the live path, loaded from the beginning unless a test changes that. */
class FetchedLivePath {
  readonly storage = new MemoryTakes();
  readonly encoder: FakeEncoder;
  /** Codec of new takes. */
  codec: AudioCodec = "pcm_s16le";
  /** The browser's recognition; null: it has none. */
  recognition: RecognitionEngine | null = null;
  /** What the recognition was prepared for last. */
  recognitionLanguages: TakeLanguages | null = null;
  isHere = true;
  /** Number of loads before it was there. */
  loadCount = 0;
  #takes = 0;
  /** Runs when the code is loaded. */
  fetch: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly clock: ManualClock) {
    this.encoder = new FakeEncoder(clock);
  }

  async load(): Promise<LivePath> {
    if (!this.isHere) {
      this.loadCount += 1;
      await this.fetch();
      this.isHere = true;
    }
    return {
      ...livePath,
      openStorage: (userId) => this.storage.openStorage(userId),
      maintainStorage: async () => {},
      findCodec: async () => this.codec,
      createEncoder: (codec, output) => {
        const { clock, encoder } = this;
        const log = { warn() {} };
        const deps = { clock, log, openOpus: encoder.open, onOpusFailed() {} };
        return createChunkEncoder(codec, deps, output);
      },
      newTake: (lectureId, codec, startedAt) => {
        this.#takes += 1;
        const suffix = String(this.#takes).padStart(12, "0");
        return newTake(`00000000-0000-4000-8000-${suffix}`, lectureId, codec, startedAt);
      },
      prepareRecognition: async (languages) => {
        this.recognitionLanguages = languages;
        return this.recognition;
      },
    };
  }
}

export class World {
  readonly clock = new ManualClock();
  readonly server = new FakeServer(this.clock);
  readonly room = new SimulatedRoom(this.clock);
  readonly live = new FetchedLivePath(this.clock);
  readonly takes = this.live.storage;
  /** The Web Locks of this browser: id → the tab that holds it. */
  readonly claims = new Map<string, Page>();

  /** Pages opened so far. */
  pages = 0;

  #ids = 0;

  /** `codec`: of new takes. */
  constructor(codec: AudioCodec = "pcm_s16le") {
    this.live.codec = codec;
  }

  newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  page(options: Partial<RecordingSessionOptions> = {}): Page {
    this.pages += 1;
    return new Page(this, options);
  }

  /** A page that has opened lecture `id`. */
  async open(id = "lecture-1"): Promise<Page> {
    const page = this.page();
    await page.load(id);
    return page;
  }

  /** A lecture as the server has stored it. */
  lecture(id = "lecture-1") {
    return this.server.lectures.get(id);
  }

  entries(id?: string): readonly TranscriptEntry[] {
    return this.lecture(id)?.entries ?? [];
  }

  /** The English of all stored rows. */
  storedText(id?: string): string {
    return this.entries(id)
      .map(({ original }) => original)
      .join(" ");
  }
}

interface PageOptions extends Partial<RecordingSessionOptions> {
  /** Codec of new takes. */
  codec?: AudioCodec;
  world?: World;
}

/** A page in a world of its own. */
export function openPage({ codec, world = new World(codec), ...options }: PageOptions = {}) {
  return { world, page: world.page(options) };
}

/** A page that records. */
export async function startRecording(options?: PageOptions) {
  const opened = openPage(options);
  await opened.page.record();
  return opened;
}

/** A page that records, and has said words 1 to `count`. */
export async function sayWords(count: number, options?: PageOptions) {
  const opened = await startRecording(options);
  await opened.page.say(1, count);
  return opened;
}

/** A page that has recorded words 1 to `count` and stopped. */
export async function recordWords(count: number, options?: PageOptions) {
  const opened = openPage(options);
  await opened.page.recordWords(1, count);
  return opened;
}

/** A world in which a page was closed that had said `all` words, of which it could send about the first `sent`. */
export async function leaveUnsentWords(sent: number, all: number) {
  const { world, page } = await startRecording();
  await page.say(1, sent);
  world.room.goDown();
  await page.say(sent + 1, all);
  page.close();
  world.room.refuses = null;
  return world;
}
