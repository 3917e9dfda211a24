import type { MicrophoneDevice } from "#client/realtime/types.ts";
import type { ErrorCode } from "#shared/errors.ts";

/** What the live path needs of a browser. `browser/ports.ts` implements it; tests bring their own. */

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

export type AudioErrorReason = "denied" | "missing" | "busy" | "unsupported" | "stuck" | "failed";

export class AudioSourceError extends Error {
  override readonly name = "AudioSourceError";
  constructor(
    readonly reason: AudioErrorReason,
    options?: { cause?: unknown },
  ) {
    super(`microphone ${reason}`, options);
  }
}

export interface AudioHandlers {
  /** One chunk: `chunkSamples` of 16-bit little-endian mono PCM at `captureSampleRate`. */
  chunk(pcm: Uint8Array<ArrayBuffer>): void;
  /** The device delivers nothing (true), or again (false). */
  muted(muted: boolean): void;
  lost(): void;
}

export interface AudioCapture {
  /** Loudness now, 0 to 1, smoothed. */
  level(): number;
  /** Delivers what is left as a last chunk, padded with silence, then lets go of the device. */
  stop(): Promise<void>;
}

export interface AudioSource {
  /** False when this browser has no way to capture sound. */
  isSupported(): boolean;
  /**
   * Opens input `deviceId`; null: the system's default.
   *
   * @throws AudioSourceError; a device that comes after `signal` has aborted is let go.
   */
  open(
    handlers: AudioHandlers,
    signal: AbortSignal,
    deviceId: string | null,
  ): Promise<AudioCapture>;
  /** The inputs there are; empty where the browser does not tell. Never rejects. */
  listDevices(): Promise<MicrophoneDevice[]>;
  /** Calls `listener` when inputs come or go; returns the way to stop that. */
  onDeviceChange(listener: () => void): () => void;
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
  /** Why the room at `path` refuses, asked over HTTP; null: it does not, or cannot be reached. */
  fetchRefusal(path: string): Promise<ErrorCode | null>;
}

/** What happens to the page. Each returns the way to stop listening. */
export interface PageEvents {
  /** A connection may work again: the network is back or the page is visible again. */
  onWake(listener: () => void): () => void;
  onHide(listener: () => void): () => void;
  /** Keeps the screen awake, where the browser can, until the returned function is called. */
  keepAwake(): () => void;
}

export interface Log {
  warn(event: string, fields?: Record<string, string | number | boolean>): void;
}
