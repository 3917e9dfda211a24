import type { GapReason } from "#shared/recorded-take.ts";

/** What recording needs of a browser's sound. browser-ports.ts implements it; tests bring their own. */

/** `notShared`: no tab or screen was chosen. `noSound`: one without sound. */
export type AudioErrorReason =
  | "denied"
  | "missing"
  | "busy"
  | "unsupported"
  | "stuck"
  | "failed"
  | "notShared"
  | "noSound";

export class AudioSourceError extends Error {
  override readonly name = "AudioSourceError";
  constructor(
    readonly reason: AudioErrorReason,
    options?: { cause?: unknown },
  ) {
    super(`microphone ${reason}`, options);
  }
}

/** `muted`: the device is. `notDelivered`: it is not, and the browser does not hand over its sound. */
export type NoSoundReason = Extract<GapReason, "muted" | "notDelivered">;

export interface AudioHandlers {
  /** One chunk of 16-bit little-endian mono PCM at `captureSampleRate`. */
  chunk(pcm: Uint8Array<ArrayBuffer>): void;
  /** Why the device delivers nothing from now on; null: it delivers again. */
  noSound(reason: NoSoundReason | null): void;
  lost(): void;
}

export interface AudioCapture {
  /** The open device, for the browser's recognition. */
  readonly track?: MediaStreamTrack | undefined;
  /** Loudness now, 0 to 1, smoothed. */
  level(): number;
  /** Delivers the last chunk, padded with silence, then releases the device. */
  stop(): Promise<void>;
}

/** An audio input of the browser. Labels are empty until the microphone permission was granted once. */
export interface MicrophoneDevice {
  id: string;
  label: string;
}

export interface CaptureOptions {
  /** The input; null: the system's default. */
  deviceId: string | null;
  /** Samples of one chunk. */
  chunkSamples: number;
}

export interface AudioSource {
  /** False when this browser cannot capture audio. */
  isSupported(): boolean;
  /** @throws AudioSourceError; a device that is opened after `signal` has aborted is released. */
  open(
    handlers: AudioHandlers,
    signal: AbortSignal,
    options: CaptureOptions,
  ): Promise<AudioCapture>;
  /** The audio inputs; empty if the browser does not list them. Never rejects. */
  listDevices(): Promise<MicrophoneDevice[]>;
  /** Calls `listener` when inputs are added or removed. Returns the unsubscribe function. */
  onDeviceChange(listener: () => void): () => void;
}
