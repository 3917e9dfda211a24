import type { CallOptions, SessionApi } from "#client/lecture/server-api.ts";
import { ApiError, callServer, toApiError } from "#client/lib/call-server.ts";
import { browserClock, type Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { Lecture } from "#shared/lecture.ts";
import { fetchLecture } from "./fetch-lecture.ts";
import { takeGuestTicket, toDeviceTime } from "./next-guest-ticket.ts";
import { trpc } from "./trpc.ts";
import { guestTicket } from "./visitor.ts";

const shortCallMs = 10_000;
/** For calls that carry a lecture, over a slow connection. */
const bodyCallMs = 30_000;
const contextCallMs = 60_000;
/** Longest time before a summary begins, or goes on to the next part of a long lecture. A dead line fails sooner. */
const summaryStartMs = 600_000;
/** Longest pause between two pieces of it. */
const summaryStallMs = 60_000;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for ids that the schema `uuid` accepts; Zod would be loaded for nothing else. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

const toRequestOptions = ({ signal, keepalive }: CallOptions = {}) => ({
  ...(signal && { signal }),
  ...(keepalive && { context: { keepalive } }),
});

/** What the page has of a lecture that it has shown: only what is new of it is fetched. */
async function findCached(id: string): Promise<Lecture | undefined> {
  try {
    const [{ queryKeys }, { queryClient }] = await Promise.all([
      import("./library/cache.ts"),
      import("./queries.tsx"),
    ]);
    return queryClient.getQueryData<Lecture>(queryKeys.lecture(id));
  } catch {
    return undefined;
  }
}

/** Implements `lecture/server-api.ts` by tRPC. Calls reject with `ApiError`. */
export const createSessionApi = (): SessionApi => withTimeouts(createCalls(), browserClock);

function createCalls(): SessionApi {
  return {
    translate: ({ onQueue, ...input }, signal) =>
      callServer(async () => {
        onQueue?.(true);
        const call = trpc.ai.translate.mutate(input, { signal });
        return (await call.finally(() => onQueue?.(false))).translatedText;
      }),
    createLecture: (input, options) =>
      callServer(() => trpc.lectures.create.mutate(input, toRequestOptions(options))),
    saveRows: (input, options) =>
      callServer(() => trpc.lectures.saveRows.mutate(input, toRequestOptions(options))),
    changeMarks: (input, options) =>
      callServer(() => trpc.marks.change.mutate(input, toRequestOptions(options))),
    storeTakes: (input, options) =>
      callServer(() => trpc.takes.store.mutate(input, toRequestOptions(options))),
    updateLecture: (input, options) =>
      callServer(() => trpc.lectures.change.mutate(input, toRequestOptions(options))),
    completeLecture: (input, options) =>
      callServer(() => trpc.lectures.complete.mutate(input, toRequestOptions(options))),
    getLecture: (id, options) =>
      callServer(async () => {
        // The id comes from the address: an invalid one is the id of no lecture.
        if (!isUuid(id)) throw new ApiError("not_found", false);
        return fetchLecture(id, toRequestOptions(options), await findCached(id));
      }),
    readGlossary: async (folderId) =>
      (await import("./library/glossary.ts")).fetchGlossary(folderId),
    generateContext: (source, signal) =>
      callServer(() => trpc.ai.context.mutate(source, { signal })),
    async *summarize({ lectureId, template, languages: { targetLanguage } }, signal) {
      try {
        yield* await trpc.ai.summarize.mutate({ lectureId, targetLanguage, template }, { signal });
      } catch (failure) {
        throw toApiError(failure);
      }
    },
    issueGuestTicket: (previous, options) =>
      callServer(async () => {
        const ticket = previous
          ? toDeviceTime(
              await trpc.recording.guestTicket.mutate({ previous }, toRequestOptions(options)),
            )
          : await takeGuestTicket(options?.signal);
        guestTicket.set(ticket);
        return ticket;
      }),
  };
}

/** Wraps `api` so that every call has a time limit. */
export function withTimeouts(api: SessionApi, clock: Clock): SessionApi {
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
