import type { Clock } from "#client/lib/clock.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { MicrophoneDevices } from "#client/sound/capture/devices.ts";
import type { SessionStore } from "./session-store.ts";

/** How long a recording that has lost its microphone waits for one. */
const waitMs = 600_000;
/** A headset may be listed before it can be opened. */
const settleMs = 500;

interface Deps {
  clock: Clock;
  devices: MicrophoneDevices;
  store: SessionStore;
  record(engine: SpeechEngine | undefined): void;
}

/** Goes on with a recording that has stopped for want of a microphone, once there is one, unless the person does something else. */
export class MicrophoneReturn {
  #end = () => {};

  constructor(private readonly deps: Deps) {}

  /** The recording is about to stop. */
  wait(): void {
    this.#end();
    const { clock, devices, store, record } = this.deps;
    const recording = store.current;
    const engine = store.view.get().speechEngine ?? undefined;
    let cancelStart = () => {};
    const startLater = () => {
      cancelStart();
      if (devices.list.get().length === 0) return;
      cancelStart = clock.after(settleMs, () => {
        if (store.view.get().busy === null) record(engine);
      });
    };
    const endIfChanged = () => {
      const { busy, lecture, status } = store.view.get();
      const isPaused = status === "paused" && (busy === null || busy === "starting");
      if (!isPaused || lecture?.status === "completed" || store.current !== recording) this.#end();
    };
    const ends = [
      clock.after(waitMs, () => this.#end()),
      devices.list.subscribe(startLater),
      store.view.subscribe(endIfChanged),
      () => cancelStart(),
    ];
    this.#end = () => {
      this.#end = () => {};
      for (const end of ends) end();
    };
  }

  dispose(): void {
    this.#end();
  }
}
