import { acknowledge, openSession, sendFinalize } from "./provider-session.ts";
import { type Finalize, log, persist, send, type Work } from "./state.ts";

/** How long the provider may take over a finalize before it is asked again, then given up. */
export const finalizeTimeoutMs = 5_000;

type Asked = Pick<Finalize, "tellBrowser" | "after">;

/** Asks for the last words of what was accepted so far. True when there are none to wait for. */
export function beginFinalize(work: Work, asked: Asked): boolean {
  const { room } = work;
  const { tellBrowser, after } = merged(room.finalize, asked);
  if (room.expectedSeq - 1 <= room.settledSeq) acknowledge(work, room.settledSeq);
  if (room.backlog.length === 0) {
    room.finalize = null;
    if (tellBrowser) tellFinalized(work);
    return true;
  }
  const upTo = room.expectedSeq - 1;
  const already = room.finalize?.upTo === upTo;
  const dueAt = already && room.finalize ? room.finalize.dueAt : work.now + finalizeTimeoutMs;
  room.finalize = { upTo, tellBrowser, after, attempt: room.finalize?.attempt ?? 1, dueAt };
  if (already) return false;
  if (room.provider.kind === "open") sendFinalize(work);
  else if (room.provider.kind === "none") openSession(work);
  return false;
}

/** The provider has answered: everything up to the finalize is delivered. */
export function completeFinalize(work: Work): Finalize | null {
  const { finalize } = work.room;
  if (!finalize) return null;
  work.room.finalize = null;
  // The speaker may be in the middle of a word: the next session must hear its beginning again.
  if (finalize.after === "sleep") work.room.settledSeq = finalize.upTo;
  else acknowledge(work, finalize.upTo);
  if (finalize.tellBrowser) tellFinalized(work);
  return finalize;
}

/** No answer in time: a new session is asked once. Returns the finalize when that was done before. */
export function onFinalizeTimeout(work: Work): Finalize | null {
  const { room } = work;
  const { finalize } = room;
  if (!finalize) return null;
  log(work, "finalize_timed_out", { attempt: finalize.attempt }, "warn");
  if (finalize.attempt === 1 && finalize.after !== "sleep") {
    room.finalize = { ...finalize, attempt: 2, dueAt: work.now + finalizeTimeoutMs };
    room.retryAt = work.now;
    openSession(work);
    return null;
  }
  room.finalize = null;
  if (finalize.tellBrowser)
    send(work, {
      type: "error",
      code: "unavailable",
      message: "The transcription service does not answer. Please try again.",
      retryable: true,
    });
  return finalize;
}

/** The client forgets its take on this: nobody could tell the room any more what it has heard of it. */
function tellFinalized(work: Work): void {
  if (work.room.keptSeq !== work.room.highSeq) persist(work);
  send(work, { type: "finalized" });
}

/** A finalize under way takes over what another one asks for. */
function merged(current: Finalize | null, asked: Asked): Asked {
  if (!current) return asked;
  const ranks = ["sleep", "stay", "end"] as const;
  const after =
    ranks.indexOf(current.after) > ranks.indexOf(asked.after) ? current.after : asked.after;
  return { tellBrowser: current.tellBrowser || asked.tellBrowser, after };
}
