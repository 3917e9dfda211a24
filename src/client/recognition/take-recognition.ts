import type { RecognizerEnd } from "#client/recognition/device/device-recognizer.ts";
import type { LivePath, TakeReaders } from "#client/recognition/live-path.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type {
  ConnectionState,
  SpeechEngine,
  SpeechProblem,
} from "#client/recognition/speech-engine.ts";
import type { Take } from "#client/sound/takes/take.ts";
import type { RelayTokens } from "#shared/relay.ts";
import type { ReaderEvents, TakeReader } from "./take-reader.ts";
import { type TakesText, TakeWords } from "./take-words.ts";

/** The room, through `TakeUploader`, or this device, through `DeviceRecognizer`. */
type ReaderKind = "room" | "device";

const readerKinds: Readonly<Record<SpeechEngine, ReaderKind | null>> = {
  service: "room",
  demo: "room",
  device: "device",
  browser: null,
};

/** Null: what the engine did not hear live waits for another one. */
export const getReaderKind = (engine: SpeechEngine): ReaderKind | null => readerKinds[engine];

interface Deps {
  openReaders(live: LivePath): TakeReaders;
  text: TakesText;
  /** The lecture's takes, in order. */
  list(): readonly Take[];
  /** What recognises the take that is captured now; null: nothing is captured. */
  getCapturedEngine(): SpeechEngine | null;
  /** Another source has the transcript from now on. */
  onReplaced(): void;
  onTokens(batch: RelayTokens, take: Take): void;
  /** See `ReaderEvents`. */
  onUnproven?(take: Take, fromMs: number): void;
  /** The takes or the connection have changed. */
  onProgress(): void;
  /** All takes are complete. */
  onComplete(): void;
  /** The room refuses for good. Unsent audio stays in its takes. */
  onEnd(end: RelayEnd): void;
}

/**
 * Has the takes of one lecture recognised, and their words put into its transcript: decides which reader reads next, one
 * at a time, and keeps why one has ended.
 */
export class TakeRecognition {
  readonly #readers = new Map<ReaderKind, TakeReader>();
  /** What reads, or has read last. */
  #activeKind: ReaderKind | null = null;
  readonly #words: TakeWords;
  /** The take of the last tokens, and up to where its sound had been recognised then, ms on the lecture's clock. */
  #heard: { take: Take; untilMs: number } | null = null;
  #end: RelayEnd | null = null;
  #deviceEnd: RecognizerEnd | null = null;
  #isDisposed = false;
  /** Called once, when everything is acknowledged or the connection has ended. */
  readonly #endListeners = new Set<() => void>();

  constructor(private readonly deps: Deps) {
    this.#words = new TakeWords(deps.text, () => deps.onReplaced());
  }

  get state(): ConnectionState {
    return this.#active?.state ?? "idle";
  }
  /** Length of the sound that is being recognised, and not acknowledged yet, ms. */
  get heardMs(): number {
    if (this.#heard === null || !["live", "draining"].includes(this.state)) return 0;
    const { take, untilMs } = this.#heard;
    const acknowledgedMs = take.lengthMs - take.unsentMs;
    return Math.max(0, untilMs - (take.offsetMs ?? 0) - acknowledgedMs);
  }
  /** Why the room refuses for good; null: it does not, as far as is known. Unsent audio then waits for `start`. */
  get end(): RelayEnd | null {
    return this.#end;
  }
  /** Why the sound waits for another engine; null: it does not, as far as is known. */
  get problem(): SpeechProblem | null {
    if (this.#deviceEnd !== null) return { engine: "device", reason: this.#deviceEnd.kind };
    const end = this.#end;
    return end?.kind === "notRecognized" ? { engine: "service", reason: end.reason } : null;
  }

  /** The reader of `engine` reads, and no other one has to take over. */
  isReading(engine: SpeechEngine): boolean {
    return this.#readingKind !== null && this.#readingKind === getReaderKind(engine);
  }

  /** The room, or this device, is to recognise the take. */
  canRead({ engine }: Take): boolean {
    const kind = getReaderKind(engine);
    if (kind === "room") return this.#end?.kind !== "notRecognized";
    return kind === "device" && this.#deviceEnd === null;
  }

  /** Has `take` recognised by its engine, once that starts. */
  add(live: LivePath, take: Take): void {
    const kind = getReaderKind(take.engine);
    if (kind === null) return;
    const reader = this.#readers.get(kind) ?? this.#createReader(live, kind);
    this.#readers.set(kind, reader);
    reader.add(take);
  }

  /** Goes on with new sound. */
  sendChunks(): void {
    this.#active?.sendChunks();
  }

  /**
   * Starts to read, unless another source than the takes has words for the lecture and the person does not record
   * (`takesOver`). `takesOver`: another tab or device that records this lecture is disconnected.
   */
  start(takesOver: boolean): void {
    const kind = this.#nextKind;
    if (kind === null || this.#isDisposed || !this.#words.open(takesOver)) return;
    this.#end = null;
    this.#deviceEnd = null;
    this.#startReader(kind, takesOver);
  }

  /** Has what is unsent recognised. Resolves when everything is acknowledged or that has ended, and this is stored. */
  async complete(): Promise<void> {
    // What reads goes on to the end of its takes: another one could not join its last words.
    const kind = this.#readingKind ?? this.#nextKind;
    const hasEnded = this.#end !== null || this.#deviceEnd !== null;
    if (kind === null || hasEnded || this.#isDisposed || !this.#words.open(false)) return;
    const takes = this.deps.list();
    const ended = new Promise<void>((resolve) => this.#endListeners.add(resolve));
    this.#startReader(kind, false);
    await ended;
    // Other tabs read what is stored, at a sign-out for example.
    await Promise.all(takes.map((take) => take.whenWritten()));
  }

  /** Retries immediately: the network, a model or the person is back. */
  wake(): void {
    const { kind } = this.#deviceEnd ?? {};
    const isModelDue = kind === "modelMissing" || kind === "noLanguage";
    if (isModelDue) this.#deviceEnd = null;
    const isDue = this.#end?.kind === "takenOver" || isModelDue;
    if (isDue && this.deps.list().some((take) => take.unsentMs > 0))
      this.start(this.deps.getCapturedEngine() !== null);
    this.#active?.retryNow();
  }

  /** Words have become final on the page. */
  updateHeldMs(): void {
    this.#words.updateHeldMs();
  }

  /** Stops reading. Unsent audio stays in its takes. */
  close(): void {
    this.#active?.close();
    this.#onDisconnected();
  }

  /** As `close`, and nothing is read any more. */
  dispose(): void {
    this.close();
    // A stop that is under way must not connect again.
    this.#isDisposed = true;
  }

  get #active(): TakeReader | undefined {
    return this.#activeKind === null ? undefined : this.#readers.get(this.#activeKind);
  }

  /** What reads, also while there is nothing to read; null: nothing does. */
  get #readingKind(): ReaderKind | null {
    return this.state === "idle" ? null : this.#activeKind;
  }

  /** What reads next: the engine of what is captured, or else of the first take that waits. */
  get #nextKind(): ReaderKind | null {
    const waits = this.deps.list().find((take) => !take.isComplete && this.canRead(take));
    const engine = this.deps.getCapturedEngine() ?? waits?.engine;
    return engine === undefined ? null : getReaderKind(engine);
  }

  #createReader(live: LivePath, kind: ReaderKind): TakeReader {
    const readers = this.deps.openReaders(live);
    if (kind === "device") {
      const onEnd = (end: RecognizerEnd) => {
        this.#deviceEnd = end;
        this.#onDisconnected();
        this.deps.onProgress();
      };
      return readers.openDevice(this.#createEvents(onEnd));
    }
    const onEnd = (end: RelayEnd) => {
      this.#end = end;
      this.#words.flush();
      this.deps.onEnd(end);
      this.#onDisconnected();
    };
    return readers.openRoom(this.#createEvents(onEnd));
  }

  #createEvents<End>(onEnd: (end: End) => void): ReaderEvents<End> {
    return {
      onTokens: (batch, take, isTranslated) => {
        this.#heard = { take, untilMs: batch.audio_total_proc_ms };
        this.deps.onTokens(batch, take);
        this.#words.add(batch, take, isTranslated);
      },
      endSentence: () => this.#words.endSentence(),
      onLost: () => {
        this.#heard = null;
      },
      onUnproven: (take, fromMs) => this.deps.onUnproven?.(take, fromMs),
      onProgress: () => this.deps.onProgress(),
      onComplete: () => this.#onComplete(),
      onEnd,
    };
  }

  /** Has the reader `kind` read, and no other. */
  #startReader(kind: ReaderKind, takesOver: boolean): void {
    const reader = this.#readers.get(kind);
    if (reader === undefined) return;
    if (this.#activeKind !== kind) this.#active?.close();
    this.#activeKind = kind;
    reader.start(takesOver);
  }

  /** One reader has read all of its takes. */
  #onComplete(): void {
    const next = this.#nextKind;
    if (next !== null) {
      this.#startReader(next, false);
      return;
    }
    this.#words.flush();
    this.deps.onComplete();
    this.#onDisconnected();
  }

  #onDisconnected(): void {
    this.#words.close();
    for (const listener of this.#endListeners) listener();
    this.#endListeners.clear();
  }
}
