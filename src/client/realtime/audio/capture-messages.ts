export const captureProcessor = "dualect-capture";

/** Page → worklet: send what is left, then stop. */
export const flushRequest = "flush";

/** Worklet → page. `flushed`: no further chunk comes; `ended`: the processor has run for the last time. */
export type CaptureMessage =
  | { type: "chunk"; pcm: ArrayBuffer }
  | { type: "flushed" }
  | { type: "ended" };
