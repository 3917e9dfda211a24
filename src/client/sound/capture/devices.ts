import { Signal } from "#client/lib/observable.ts";
import type { AudioSource, MicrophoneDevice } from "#client/sound/capture/audio-ports.ts";

/** Keeps the list of the browser's audio inputs up to date. */
export class MicrophoneDevices {
  readonly list = new Signal<readonly MicrophoneDevice[]>([]);
  readonly #unsubscribe: () => void;
  #requestCount = 0;

  constructor(private readonly source: AudioSource) {
    this.#unsubscribe = source.onDeviceChange(() => this.refresh());
    this.refresh();
  }

  /** Reads the list again: devices have labels only after the permission was granted. */
  refresh(): void {
    this.#requestCount += 1;
    const request = this.#requestCount;
    void this.source.listDevices().then((devices) => {
      const isChanged = JSON.stringify(devices) !== JSON.stringify(this.list.get());
      if (request === this.#requestCount && isChanged) this.list.set(devices);
    });
  }

  dispose(): void {
    this.#requestCount += 1;
    this.#unsubscribe();
  }
}
