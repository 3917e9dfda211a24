import type {
  RecordingSession,
  SessionNotice,
  TranscriptRow,
} from "../../../../../src/client/realtime/contract.ts";
import { RecordingLink } from "../../../../../src/client/realtime/recording-link.ts";
import {
  createRecordingSession,
  type RecordingSessionOptions,
} from "../../../../../src/client/realtime/session.ts";
import type {
  LinkDeps,
  LinkOrigin,
  LinkSource,
} from "../../../../../src/client/realtime/sound-link.ts";
import { FakeMicrophone } from "./fake-microphone.ts";
import { FakeServer } from "./fake-server.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemorySpool } from "./memory-spool.ts";
import { SimulatedRoom, sound } from "./simulated-room.ts";

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
        link: world.link,
        spool: world.spool,
        writer: String(world.pages).padStart(4, "0"),
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

/** The code of links, there from the beginning unless a test says otherwise. */
class FetchedLink implements LinkSource {
  here = true;
  /** How often it was asked for while it was not there. */
  asked = 0;
  /** What fetching it comes to. */
  fetch: () => Promise<void> = () => Promise.resolve();

  loaded(): ReturnType<LinkSource["loaded"]> {
    return this.here ? makeLink : null;
  }

  async load(): Promise<void> {
    if (this.here) return;
    this.asked += 1;
    await this.fetch();
    this.here = true;
  }
}

const makeLink = (deps: LinkDeps, origin: LinkOrigin) => new RecordingLink(deps, origin);

export class World {
  readonly clock = new ManualClock();
  readonly server = new FakeServer(this.clock);
  readonly room = new SimulatedRoom(this.clock);
  readonly spool = new MemorySpool();
  readonly link = new FetchedLink();

  /** Pages opened so far. */
  pages = 0;

  page(options: Partial<RecordingSessionOptions> = {}): Page {
    this.pages += 1;
    return new Page(this, options);
  }
}
