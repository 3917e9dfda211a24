import type { DeviceRecognizerDeps } from "#client/realtime/device-speech/device-recognizer.ts";
import type { RecognizerEnd } from "#client/realtime/device-speech/recognizer-end.ts";
import type { LivePath } from "#client/realtime/live-path.ts";
import type { RelayEnd } from "#client/realtime/relay/relay-end.ts";
import type { ConnectionState, SpeechEngine } from "#client/realtime/session-types.ts";
import type { Take } from "./take.ts";
import type { UploaderDeps } from "./take-uploader.ts";

/** Gets the words out of takes, one take after another. */
interface TakeReader {
  readonly state: ConnectionState;
  add(take: Take): void;
  /** `takesOver`: see `UploaderDeps.path`. */
  start(takesOver: boolean): void;
  /** Call it after each appended chunk. */
  sendChunks(): void;
  retryNow(): void;
  close(): void;
}

/** The room, through `TakeUploader`, or this device, through `DeviceRecognizer`. */
export type ReaderKind = "room" | "device";

const readerKinds: Readonly<Record<SpeechEngine, ReaderKind | null>> = {
  service: "room",
  demo: "room",
  device: "device",
  browser: null,
};

/** Null: what the engine did not hear live waits for another one. */
export const getReaderKind = (engine: SpeechEngine): ReaderKind | null => readerKinds[engine];

export interface ReaderDeps
  extends Omit<UploaderDeps, "onEnd">,
    Omit<DeviceRecognizerDeps, "onEnd" | "decodeOpus" | "settings"> {
  /** The room refuses for good. Unsent audio stays in its takes. */
  onEnd(end: RelayEnd): void;
  /** The device cannot recognise. Sound without words stays in its takes. */
  onDeviceEnd(end: RecognizerEnd): void;
}

/** The readers of one lecture's takes, of which at most one reads. */
export class TakeReaders {
  readonly #readers = new Map<ReaderKind, TakeReader>();
  #activeKind: ReaderKind | null = null;

  constructor(private readonly deps: ReaderDeps) {}

  get state(): ConnectionState {
    return this.#active?.state ?? "idle";
  }
  /** What reads, also while there is nothing to read; null: nothing does. */
  get activeKind(): ReaderKind | null {
    return this.state === "idle" ? null : this.#activeKind;
  }

  /** Has the reader of its engine read `take`, once that starts. */
  add(live: LivePath, take: Take): void {
    const kind = getReaderKind(take.engine);
    if (kind === null) return;
    const reader = this.#readers.get(kind) ?? this.#create(live, kind);
    this.#readers.set(kind, reader);
    reader.add(take);
  }

  /** Has the reader `kind` read, and no other. */
  start(kind: ReaderKind, takesOver: boolean): void {
    const reader = this.#readers.get(kind);
    if (reader === undefined) return;
    if (this.#activeKind !== kind) this.#active?.close();
    this.#activeKind = kind;
    reader.start(takesOver);
  }

  sendChunks(): void {
    this.#active?.sendChunks();
  }

  retryNow(): void {
    this.#active?.retryNow();
  }

  close(): void {
    this.#active?.close();
  }

  get #active(): TakeReader | undefined {
    return this.#activeKind === null ? undefined : this.#readers.get(this.#activeKind);
  }

  #create(live: LivePath, kind: ReaderKind): TakeReader {
    const { onDeviceEnd, ...deps } = this.deps;
    if (kind === "room") return new live.TakeUploader(deps);
    const { decodeOpus } = live;
    return new live.DeviceRecognizer({ ...deps, decodeOpus, onEnd: onDeviceEnd });
  }
}
