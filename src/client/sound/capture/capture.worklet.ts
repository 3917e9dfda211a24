import {
  type CaptureMessage,
  type CaptureProcessorOptions,
  captureProcessor,
  flushRequest,
} from "./capture-messages.ts";
import { PcmChunker } from "./pcm-chunker.ts";

/** Globals of AudioWorkletGlobalScope, which are missing in TypeScript's DOM library. */
declare const sampleRate: number;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };
declare function registerProcessor(
  name: string,
  processor: new (options: {
    processorOptions: CaptureProcessorOptions;
  }) => { process(inputs: Float32Array[][]): boolean },
): void;

/** Cuts audio into chunks on the audio thread, so that a blocked page loses none. */
class CaptureProcessor extends AudioWorkletProcessor {
  #isRunning = true;
  readonly #chunker: PcmChunker;

  constructor({ processorOptions }: { processorOptions: CaptureProcessorOptions }) {
    super();
    this.#chunker = new PcmChunker(sampleRate, processorOptions.chunkSamples, (pcm) => {
      this.port.postMessage({ type: "chunk", pcm } satisfies CaptureMessage, [pcm]);
    });
    this.port.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data !== flushRequest) return;
      this.#isRunning = false;
      this.#chunker.flush();
      this.port.postMessage({ type: "flushed" } satisfies CaptureMessage);
    };
  }

  process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (this.#isRunning && samples !== undefined) this.#chunker.push(samples);
    if (!this.#isRunning) this.port.postMessage({ type: "ended" } satisfies CaptureMessage);
    return this.#isRunning;
  }
}

registerProcessor(captureProcessor, CaptureProcessor);
