import { uuid } from "../../shared/lecture.ts";
import { ApiError, type SessionApi } from "../realtime/contract.ts";
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

/** The procedures that the live path calls. */
export function createSessionApi(): SessionApi {
  return {
    translate: (input, signal) =>
      call(async () => (await trpc.ai.translate.mutate(input, { signal })).translatedText),
    createLecture: (input) =>
      call(async () => {
        await trpc.lectures.create.mutate(input);
      }),
    appendEntries: (input) =>
      call(async () => {
        await trpc.lectures.appendEntries.mutate(input);
      }),
    setTargetLanguage: (input) =>
      call(async () => {
        await trpc.lectures.setTargetLanguage.mutate(input);
      }),
    completeLecture: (input) =>
      call(async () => {
        await trpc.lectures.complete.mutate(input);
      }),
    getLecture: (id) =>
      call(async () => {
        // An address may hold anything: an id that is none is one that nobody has.
        if (!uuid.safeParse(id).success) throw new ApiError("not_found", false);
        return trpc.lectures.get.query({ id });
      }),
    guestTicket: (previous) =>
      call(async () => {
        const ticket = await trpc.recording.guestTicket.mutate({ previous });
        guestTicket.set(ticket);
        return ticket;
      }),
  };
}
