import type { CallOptions, SessionApi } from "#client/lecture/server-api.ts";
import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { type BudgetCode, ModelPause } from "#client/translation/model-pause.ts";
import type { SessionEngines } from "./session-ports.ts";

const shortCallMs = 10_000;
/** For calls that carry a lecture, over a slow connection. */
const bodyCallMs = 30_000;
const contextCallMs = 60_000;
/** Longest time before a summary begins, or goes on to the next part of a long lecture. A dead line fails sooner. */
const summaryStartMs = 600_000;
/** Longest pause between two pieces of it. */
const summaryStallMs = 60_000;

interface Options {
  engines: SessionEngines | undefined;
  /** The day's model budget is used up. */
  onExhausted(code: BudgetCode): void;
}

/**
 * The calls of `server` with time limits and a pause while the day's model budget is used up; translation
 * and summaries by the browser's engines where the person wants that.
 */
export function withLimits(server: SessionApi, clock: Clock, { engines, onExhausted }: Options) {
  const modelPause = new ModelPause({ clock, onExhausted });
  const timed = withTimeouts(server, clock);
  const api: SessionApi = {
    ...timed,
    translate: (input, signal) => modelPause.run(() => timed.translate(input, signal)),
  };
  return { api: { ...api, ...engines?.wrapLanguageCalls(api) }, modelPause };
}

/** Wraps `api` so that every call has a time limit. */
function withTimeouts(api: SessionApi, clock: Clock): SessionApi {
  const limit =
    <I, T>(limitMs: number, call: (input: I, options: CallOptions) => Promise<T>) =>
    (input: I, options: CallOptions = {}): Promise<T> =>
      withTimeout(clock, limitMs, (signal) => call(input, { ...options, signal }), options.signal);
  return {
    // `TranslationQueue` and `LivePreview` set their own limits.
    translate: (input, signal) => api.translate(input, signal),
    createLecture: limit(shortCallMs, (input, options) => api.createLecture(input, options)),
    updateLecture: limit(bodyCallMs, (input, options) => api.updateLecture(input, options)),
    saveRows: limit(bodyCallMs, (input, options) => api.saveRows(input, options)),
    changeMarks: limit(bodyCallMs, (input, options) => api.changeMarks(input, options)),
    storeTakes: limit(bodyCallMs, (input, options) => api.storeTakes(input, options)),
    completeLecture: limit(shortCallMs, (input, options) => api.completeLecture(input, options)),
    getLecture: limit(bodyCallMs, (id: string, options) => api.getLecture(id, options)),
    readGlossary: limit(shortCallMs, (folderId: string | null) => api.readGlossary(folderId)),
    issueGuestTicket: limit(shortCallMs, (previous: string | null, options) =>
      api.issueGuestTicket(previous, options),
    ),
    generateContext: (source, outer) =>
      withTimeout(clock, contextCallMs, (signal) => api.generateContext(source, signal), outer),
    async *summarize(input, outer) {
      const controller = new AbortController();
      const pieces = api.summarize(input, controller.signal)[Symbol.asyncIterator]();
      let limitMs = summaryStartMs;
      try {
        for (;;) {
          const piece = await withTimeout(clock, limitMs, () => pieces.next(), outer);
          if (piece.done === true) return;
          // An empty piece: a part of a long lecture has been read.
          if (piece.value) limitMs = summaryStallMs;
          yield piece.value;
        }
      } finally {
        controller.abort();
      }
    },
  };
}
