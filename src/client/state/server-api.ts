import { toApiError } from "#client/lib/api-error.ts";
import { ApiError, type CallOptions, type SessionApi } from "#client/realtime/server-api.ts";
import { isUuid } from "#shared/uuid.ts";
import { fetchLecture } from "./fetch-lecture.ts";
import { guestTicket } from "./guest-ticket.ts";
import { takeGuestTicket } from "./next-guest-ticket.ts";
import { trpc } from "./trpc.ts";

async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    throw toApiError(failure);
  }
}

const toRequestOptions = ({ signal, keepalive }: CallOptions = {}) => ({
  ...(signal && { signal }),
  ...(keepalive && { context: { keepalive } }),
});

export function createSessionApi(): SessionApi {
  return {
    translate: (input, signal) =>
      call(async () => (await trpc.ai.translate.mutate(input, { signal })).translatedText),
    createLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.create.mutate(input, toRequestOptions(options));
      }),
    appendEntries: (input, options) =>
      call(async () => {
        await trpc.lectures.appendEntries.mutate(input, toRequestOptions(options));
      }),
    updateLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.change.mutate(input, toRequestOptions(options));
      }),
    completeLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.complete.mutate(input, toRequestOptions(options));
      }),
    getLecture: (id, options) =>
      call(async () => {
        // An address may hold anything: an id that is none is one that nobody has.
        if (!isUuid(id)) throw new ApiError("not_found", false);
        return fetchLecture(id, toRequestOptions(options));
      }),
    generateContext: (source, signal) =>
      call(async () => (await trpc.ai.context.mutate(source, { signal })).context),
    async *summarize(input, signal) {
      try {
        yield* await trpc.ai.summarize.mutate(input, { signal });
      } catch (failure) {
        throw toApiError(failure);
      }
    },
    issueGuestTicket: (previous, options) =>
      call(async () => {
        const ticket = previous
          ? await trpc.recording.guestTicket.mutate({ previous }, toRequestOptions(options))
          : await takeGuestTicket(options?.signal);
        guestTicket.set(ticket);
        return ticket;
      }),
  };
}
