export const captureProcessor = "dualect-capture";

export interface CaptureProcessorOptions {
  /** Samples of one chunk. */
  chunkSamples: number;
}

/** Page → worklet: send the last, incomplete chunk and stop. */
export const flushRequest = "flush";

/** Worklet → page. `flushed`: the last chunk was sent; `ended`: the processor has run for the last time. */
export type CaptureMessage =
  | { type: "chunk"; pcm: ArrayBuffer }
  | { type: "flushed" }
  | { type: "ended" };
