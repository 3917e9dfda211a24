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

/** `interrupted`: the system has taken the sound, for a call or an assistant. */
export type SuspensionReason = NoSoundReason | "interrupted";

export interface AudioHandlers {
  /** One chunk of 16-bit little-endian mono PCM at `captureSampleRate`. */
  chunk(pcm: Uint8Array<ArrayBuffer>): void;
  /** Why the device delivers nothing from now on; null: it delivers again. */
  noSound(reason: SuspensionReason | null): void;
  /** Another microphone, `label`, has taken the place of one of several sources. */
  replaced(label: string): void;
  /** Of a microphone whose sound the browser changes: speech has been quiet for a minute. */
  quiet(): void;
  lost(): void;
}

export interface AudioCapture {
  /** The open device, for the browser's recognition. */
  readonly track?: MediaStreamTrack | undefined;
  /** The browser was asked to leave the microphone's sound as it is. Null: there is no microphone. */
  readonly isRaw: boolean | null;
  /** Loudness now, 0 to 1, smoothed. */
  level(): number;
  /**
   * Opens again what can be opened without the person, in a new audio context; a shared tab stays. Absent where the capture can
   * be opened again as a whole. @throws AudioSourceError
   */
  readonly restart?: (() => Promise<void>) | undefined;
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
  /** Whether the sound of the input with an id of the browser, null for its default, is to be left as it is. */
  isRaw(deviceId: string | null): boolean;
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
  /** The audio inputs, the system's default first; empty if the browser does not list them. Never rejects. */
  listDevices(): Promise<MicrophoneDevice[]>;
  /** Calls `listener` when inputs are added or removed. Returns the unsubscribe function. */
  onDeviceChange(listener: () => void): () => void;
}
