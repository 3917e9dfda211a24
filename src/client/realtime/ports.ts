import type { ErrorCode } from "../../shared/errors.ts";
import type { MicrophoneChoice } from "./contract.ts";

/** What the live path needs of a browser. `browser/ports.ts` implements it; tests bring their own. */

/** Time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`; returns the way to cancel it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Calls `run` every `periodMs` until the returned function is called. */
export function every(clock: Clock, periodMs: number, run: () => void): () => void {
  let cancel = clock.after(periodMs, tick);
  function tick() {
    cancel = clock.after(periodMs, tick);
    run();
  }
  return () => cancel();
}

/** Why sound cannot be captured. */
export type AudioFault = "denied" | "missing" | "busy" | "unsupported" | "stuck" | "failed";

export class AudioSourceError extends Error {
  override readonly name = "AudioSourceError";
  constructor(
    readonly fault: AudioFault,
    options?: { cause?: unknown },
  ) {
    super(`microphone ${fault}`, options);
  }
}

export interface AudioHandlers {
  /** One chunk: `chunkSamples` of 16-bit little-endian mono PCM at `captureSampleRate`. */
  chunk(pcm: Uint8Array<ArrayBuffer>): void;
  /** The device delivers nothing (true), or again (false). */
  muted(muted: boolean): void;
  /** The device is gone; no further chunk comes. */
  lost(): void;
}

/** An open microphone. */
export interface AudioCapture {
  /** Loudness now, 0 to 1, smoothed. */
  level(): number;
  /** Delivers what is left as a last chunk, padded with silence, then lets go of the device. */
  stop(): Promise<void>;
}

export interface AudioSource {
  /** False when this browser has no way to capture sound. */
  supported(): boolean;
  /**
   * Opens input `deviceId`; null: the system's default.
   *
   * @throws AudioSourceError; also when `signal` aborts, after which the device is let go.
   */
  open(
    handlers: AudioHandlers,
    signal: AbortSignal,
    deviceId: string | null,
  ): Promise<AudioCapture>;
  /** The inputs there are; empty where the browser does not tell. Never rejects. */
  devices(): Promise<MicrophoneChoice[]>;
  /** Calls `listener` when inputs come or go; returns the way to stop that. */
  onDevices(listener: () => void): () => void;
}

export interface SocketHandlers {
  open(): void;
  /** `data` as the socket delivered it. */
  message(data: unknown): void;
  /** Called once, last; also when the connection could not be made. */
  close(code: number, reason: string): void;
}

export interface Socket {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code: number, reason: string): void;
}

export interface RelayTransport {
  /** Opens a socket to the room at `path` (with query). */
  connect(path: string, handlers: SocketHandlers): Socket;
  /**
   * Asks over HTTP why the room at `path` refuses, which a failed WebSocket upgrade does not tell a
   * page. Null: it does not refuse, or cannot be reached.
   */
  refusal(path: string): Promise<ErrorCode | null>;
}

export interface SpooledChunk {
  seq: number;
  pcm: Uint8Array<ArrayBuffer>;
}

/** What is stored of a recording: the chunks from `firstSeq` to before `nextSeq`. */
export interface SpooledRecording {
  firstSeq: number;
  /** Sequence number of the next chunk to be captured. */
  nextSeq: number;
  /** Recording-clock time up to which what was said is saved, ms. */
  savedMs: number;
}

/** What one page has stored of a recording, under a key of its own. */
export interface SpooledPart extends SpooledRecording {
  key: string;
  /** Number of the first chunk that was ever stored under it. */
  beganSeq: number;
}

/**
 * Where captured sound outlives the page. Pages that record one lecture one after the other may use the
 * same numbers, so each writes under a key of its own. Every method rejects when the storage fails.
 */
export interface SpoolStorage {
  /** What every page has stored of a recording, in the order in which the pages were opened. */
  parts(recordingId: string): Promise<SpooledPart[]>;
  read(key: string): Promise<SpooledRecording | null>;
  /** The chunks from `from` to before `to` that are there, ascending. */
  chunks(key: string, from: number, to: number): Promise<SpooledChunk[]>;
  append(key: string, chunks: readonly SpooledChunk[]): Promise<void>;
  /** Removes the chunks below `seq` and keeps `savedMs`. */
  release(key: string, seq: number, savedMs: number): Promise<void>;
  /** Moves every chunk by `delta` sequence numbers. */
  shift(key: string, delta: number): Promise<void>;
  /** Removes what is stored under `key`. */
  forget(key: string): Promise<void>;
  /** Removes what any page has stored of a recording. */
  forgetAll(recordingId: string): Promise<void>;
  /** Forgets what nothing was written to since `before` (ms since the epoch). */
  sweep(before: number): Promise<void>;
}

/** What happens to the page. Each returns the way to stop listening. */
export interface PageEvents {
  /** A connection may work again: the network is back or the page is visible again. */
  onWake(listener: () => void): () => void;
  /** The page is being hidden or closed. */
  onHide(listener: () => void): () => void;
  /** Keeps the screen awake, where the browser can, until the returned function is called. */
  keepAwake(): () => void;
}

export interface Log {
  warn(event: string, fields?: Record<string, string | number | boolean>): void;
}
