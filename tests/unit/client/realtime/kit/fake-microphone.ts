import {
  type AudioErrorReason,
  type AudioHandlers,
  AudioSourceError,
} from "#client/realtime/platform/ports.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import type { MicrophoneDevice } from "#client/realtime/types.ts";

/** A microphone that says what it is told to. */
export class FakeMicrophone {
  fault: AudioErrorReason | null = null;
  /** Resolves when the person answers the browser's question. */
  answer: Promise<void> = Promise.resolve();
  works = true;
  opened = 0;
  open: AudioHandlers | null = null;
  openId: string | null = null;
  /** Devices that are not there, or refuse. */
  readonly faults = new Map<string | null, AudioErrorReason>();
  devices: MicrophoneDevice[] = [];
  readonly listeners = new Set<() => void>();
  openNow = 0;
  greatestOpen = 0;

  readonly source: SessionPorts["audio"] = {
    isSupported: () => this.works,
    listDevices: async () => [...this.devices],
    onDeviceChange: (listener) => {
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
