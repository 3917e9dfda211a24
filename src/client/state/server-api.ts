import type { CallOptions, SessionApi } from "#client/lecture/server-api.ts";
import { ApiError, callServer, toApiError } from "#client/lib/call-server.ts";
import type { Lecture } from "#shared/lecture.ts";
import { fetchLecture } from "./fetch-lecture.ts";
import { takeGuestTicket, toDeviceTime } from "./next-guest-ticket.ts";
import { trpc } from "./trpc.ts";
import { guestTicket } from "./visitor.ts";

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
export function createSessionApi(): SessionApi {
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
