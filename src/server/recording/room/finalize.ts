import { acknowledge, openSession, sendFinalize } from "./provider-session.ts";
import { type Finalize, log, persist, type StepContext, send } from "./state.ts";

/** How long the provider may take over a finalize before it is request again, then given up. */
export const finalizeTimeoutMs = 5_000;

type FinalizeRequest = Pick<Finalize, "notifyClient" | "after">;

/** Asks for the last words of what was accepted so far. True when there are none to wait for. */
export function beginFinalize(ctx: StepContext, request: FinalizeRequest): boolean {
  const { room } = ctx;
  const { notifyClient, after } = mergeRequests(room.finalize, request);
  if (room.expectedSeq - 1 <= room.transcribedSeq) acknowledge(ctx, room.transcribedSeq);
  if (room.backlog.length === 0) {
    room.finalize = null;
    if (notifyClient) sendFinalized(ctx);
    return true;
  }
  const lastSeq = room.expectedSeq - 1;
  const already = room.finalize?.lastSeq === lastSeq;
  const dueAt = already && room.finalize ? room.finalize.dueAt : ctx.now + finalizeTimeoutMs;
  room.finalize = { lastSeq, notifyClient, after, attempt: room.finalize?.attempt ?? 1, dueAt };
  if (already) return false;
  if (room.provider.kind === "open") sendFinalize(ctx);
  else if (room.provider.kind === "none") openSession(ctx);
  return false;
}

/** The provider has answered: everything up to the finalize is delivered. */
export function completeFinalize(ctx: StepContext): Finalize | null {
  const { finalize } = ctx.room;
  if (!finalize) return null;
  ctx.room.finalize = null;
  // The speaker may be in the middle of a word: the next session must hear its beginning again.
  if (finalize.after === "closeSession") ctx.room.transcribedSeq = finalize.lastSeq;
  else acknowledge(ctx, finalize.lastSeq);
  if (finalize.notifyClient) sendFinalized(ctx);
  return finalize;
}

/** No answer in time: a new session is request once. Returns the finalize when that was done before. */
export function onFinalizeTimeout(ctx: StepContext): Finalize | null {
  const { room } = ctx;
  const { finalize } = room;
  if (!finalize) return null;
  log(ctx, "finalize_timed_out", { attempt: finalize.attempt }, "warn");
  if (finalize.attempt === 1 && finalize.after !== "closeSession") {
    room.finalize = { ...finalize, attempt: 2, dueAt: ctx.now + finalizeTimeoutMs };
    room.retryAt = ctx.now;
    openSession(ctx);
    return null;
  }
  room.finalize = null;
  if (finalize.notifyClient)
    send(ctx, {
      type: "error",
      code: "unavailable",
      message: "The transcription service does not answer. Please try again.",
      retryable: true,
    });
  return finalize;
}

/** The client forgets its take on this: nobody could tell the room any more what it has heard of it. */
function sendFinalized(ctx: StepContext): void {
  if (ctx.room.persistedSeq !== ctx.room.highSeq) persist(ctx);
  send(ctx, { type: "finalized" });
}

/** A finalize under way takes over what another one asks for. */
function mergeRequests(current: Finalize | null, request: FinalizeRequest): FinalizeRequest {
  if (!current) return request;
  const ranks = ["closeSession", "keepOpen", "end"] as const;
  const after =
    ranks.indexOf(current.after) > ranks.indexOf(request.after) ? current.after : request.after;
  return { notifyClient: current.notifyClient || request.notifyClient, after };
}
