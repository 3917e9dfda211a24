import { isUuid } from "../../shared/uuid.ts";
import { ApiError, type CallOptions, type SessionApi } from "../realtime/session-api.ts";
import { toApiError } from "./failure.ts";
import { guestTicket } from "./guest-ticket.ts";
import { trpc } from "./trpc.ts";

/** Runs one call; it rejects with `ApiError` alone. */
async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    throw toApiError(failure);
  }
}

/** `options` as the client of the procedures takes them. */
const sent = ({ signal, keepalive }: CallOptions = {}) => ({
  ...(signal && { signal }),
  ...(keepalive && { context: { keepalive } }),
});

/** The procedures that the live path calls. */
export function createSessionApi(): SessionApi {
  return {
    translate: (input, signal) =>
      call(async () => (await trpc.ai.translate.mutate(input, { signal })).translatedText),
    createLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.create.mutate(input, sent(options));
      }),
    appendEntries: (input, options) =>
      call(async () => {
        await trpc.lectures.appendEntries.mutate(input, sent(options));
      }),
    changeLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.change.mutate(input, sent(options));
      }),
    completeLecture: (input, options) =>
      call(async () => {
        await trpc.lectures.complete.mutate(input, sent(options));
      }),
    getLecture: (id, options) =>
      call(async () => {
        // An address may hold anything: an id that is none is one that nobody has.
        if (!isUuid(id)) throw new ApiError("not_found", false);
        return trpc.lectures.get.query({ id }, sent(options));
      }),
    generateContext: (text, signal) =>
      call(async () => (await trpc.ai.context.mutate({ text }, { signal })).context),
    async *summarize(input, signal) {
      try {
        yield* await trpc.ai.summarize.mutate(input, { signal });
      } catch (failure) {
        throw toApiError(failure);
      }
    },
    guestTicket: (previous, options) =>
      call(async () => {
        const ticket = await trpc.recording.guestTicket.mutate({ previous }, sent(options));
        guestTicket.set(ticket);
        return ticket;
      }),
  };
}
