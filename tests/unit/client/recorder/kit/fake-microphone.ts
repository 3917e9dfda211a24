import type { SessionPorts } from "#client/recorder/session-ports.ts";
import {
  type AudioErrorReason,
  type AudioHandlers,
  AudioSourceError,
  type MicrophoneDevice,
} from "#client/sound/capture/audio-ports.ts";
import { chunkSamples } from "#shared/limits.ts";

/** A microphone that a test controls. */
export class FakeMicrophone {
  error: AudioErrorReason | null = null;
  /** Resolves when the person answers the permission prompt. */
  answer: Promise<void> = Promise.resolve();
  isSupported = true;
  captureCount = 0;
  open: AudioHandlers | null = null;
  openId: string | null = null;
  /** The browser's name of the open device. */
  label = "";
  /** Of the open device. */
  track: MediaStreamTrack | undefined;
  chunkSamples = chunkSamples;
  /** The sound of the open device is left as it is. */
  isRaw = false;
  canBeRaw = true;
  /** Device id → the error of opening it. */
  readonly deviceErrors = new Map<string | null, AudioErrorReason>();
  devices: MicrophoneDevice[] = [];
  readonly listeners = new Set<() => void>();
  openCount = 0;
  maxOpenCount = 0;

  /** The browser's list of inputs has changed: the first one is the system's default. */
  setDevices(...labels: string[]): void {
    this.devices = labels.map((label) => ({ id: label.toLowerCase(), label }));
    this.label = labels[0] ?? "";
    this.error = labels.length === 0 ? "missing" : null;
    for (const listener of this.listeners) listener();
  }

  readonly source: SessionPorts["audio"] = {
    isSupported: () => this.isSupported,
    listDevices: async () => [...this.devices],
    onDeviceChange: (listener) => {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    },
    open: async (handlers, signal, { deviceId, ...options }) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new AudioSourceError("failed")));
      });
      await Promise.race([this.answer, aborted]);
      const isListed = this.devices.some(({ id }) => id === deviceId);
      const isGone = deviceId !== null && this.devices.length > 0 && !isListed;
      const error =
        this.error ?? this.deviceErrors.get(deviceId) ?? (isGone ? ("missing" as const) : null);
      if (error !== null) throw new AudioSourceError(error);
      this.captureCount += 1;
      this.openCount += 1;
      this.maxOpenCount = Math.max(this.maxOpenCount, this.openCount);
      this.open = handlers;
      this.openId = deviceId;
      this.chunkSamples = options.chunkSamples;
      const isRaw = this.canBeRaw && options.isRaw(deviceId);
      this.isRaw = isRaw;
      const { label = this.label } = this.devices.find(({ id }) => id === deviceId) ?? {};
      const track = { label } as MediaStreamTrack;
      this.track = track;
      return {
        track,
        isRaw,
        level: () => 0.5,
        stop: async () => {
          if (this.open === handlers) this.open = null;
          if (this.track === track) this.track = undefined;
          this.openCount -= 1;
        },
      };
    },
  };
}
