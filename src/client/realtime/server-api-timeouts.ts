import type { Clock } from "./platform/ports.ts";
import type { CallOptions, SessionApi } from "./server-api.ts";
import { withTimeout } from "./timeouts-and-retries.ts";

/** A short call that takes longer is as good as a server out of reach. */
const shortCallMs = 10_000;
/** One that carries a lecture may take its time on a thin line. */
const bodyCallMs = 30_000;
const contextMs = 60_000;
/** The model may think before its first word and between two of them. */
const summaryStallMs = 60_000;

/** `api` with a time limit on every call: nothing waits for a server that never answers. */
export function withTimeouts(api: SessionApi, clock: Clock): SessionApi {
  const limit =
    <I, T>(limitMs: number, call: (input: I, options: CallOptions) => Promise<T>) =>
    (input: I, options: CallOptions = {}): Promise<T> =>
      withTimeout(clock, limitMs, (signal) => call(input, { ...options, signal }), options.signal);
  return {
    // The queue of translations and the preview keep their own limits.
    translate: (input, signal) => api.translate(input, signal),
    createLecture: limit(shortCallMs, (input, options) => api.createLecture(input, options)),
    updateLecture: limit(bodyCallMs, (input, options) => api.updateLecture(input, options)),
    appendEntries: limit(bodyCallMs, (input, options) => api.appendEntries(input, options)),
    completeLecture: limit(shortCallMs, (input, options) => api.completeLecture(input, options)),
    getLecture: limit(bodyCallMs, (id: string, options) => api.getLecture(id, options)),
    issueGuestTicket: limit(shortCallMs, (previous: string | null, options) =>
      api.issueGuestTicket(previous, options),
    ),
    generateContext: (source, outer) =>
      withTimeout(clock, contextMs, (signal) => api.generateContext(source, signal), outer),
    async *summarize(input, outer) {
      const controller = new AbortController();
      const pieces = api.summarize(input, controller.signal)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const piece = await withTimeout(clock, summaryStallMs, () => pieces.next(), outer);
          if (piece.done === true) return;
          yield piece.value;
        }
      } finally {
        controller.abort();
      }
    },
  };
}
