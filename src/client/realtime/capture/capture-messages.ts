/** What the page and its worklet say to each other. */

/** Name under which the processor is registered. */
export const captureProcessor = "dualect-capture";

/** Page → worklet: send what is left, then stop. */
export const flushRequest = "flush";

/**
 * Worklet → page. `chunk` is transferred; `flushed`: no further one comes; `ended`: the processor has
 * run for the last time.
 */
export type CaptureMessage =
  | { type: "chunk"; pcm: ArrayBuffer }
  | { type: "flushed" }
  | { type: "ended" };
