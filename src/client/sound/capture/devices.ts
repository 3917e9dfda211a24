import { Signal } from "#client/lib/observable.ts";
import type { AudioSource, MicrophoneDevice } from "#client/sound/capture/audio-ports.ts";

/** Keeps the list of the browser's audio inputs up to date. */
export class MicrophoneDevices {
  readonly list = new Signal<readonly MicrophoneDevice[]>([]);
  readonly #unsubscribe: () => void;
  /** The last reading of the list; null after the end. */
  #reading: Promise<void> | null = null;

  constructor(private readonly source: AudioSource) {
    this.#unsubscribe = source.onDeviceChange(() => void this.refresh());
    void this.refresh();
  }

  /** Reads the list again: devices have labels only after the permission was granted. Resolves when it is up to date. */
  refresh(): Promise<void> {
    const reading: Promise<void> = this.source.listDevices().then((devices) => {
      if (reading !== this.#reading) return this.#reading ?? undefined;
      const isChanged = JSON.stringify(devices) !== JSON.stringify(this.list.get());
      if (isChanged) this.list.set(devices);
      return undefined;
    });
    this.#reading = reading;
    return reading;
  }

  dispose(): void {
    this.#reading = null;
    this.#unsubscribe();
  }
}
