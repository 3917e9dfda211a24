import { acknowledge } from "./acknowledgement.ts";
import { openSession, sendFinalize } from "./provider-session.ts";
import { type Finalize, log, persist, type StepContext, send } from "./state.ts";

/** Time for the provider to answer a finalize. After one retry the room gives up. */
export const finalizeTimeoutMs = 5_000;

type FinalizeRequest = Pick<Finalize, "notifyClient" | "after">;

/** Requests the last words of all accepted audio. True when there is nothing to wait for. */
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

/** The provider has answered: all words before the finalize are delivered. */
export function completeFinalize(ctx: StepContext): Finalize | null {
  const { finalize } = ctx.room;
  if (!finalize) return null;
  ctx.room.finalize = null;
  // The speaker may be inside a word: the backlog stays, so that the next session gets its beginning.
  if (finalize.after === "closeSession") ctx.room.transcribedSeq = finalize.lastSeq;
  else acknowledge(ctx, finalize.lastSeq);
  if (finalize.notifyClient) sendFinalized(ctx);
  return finalize;
}

/** No answer in time: retries once with a new session. Returns the finalize if the retry has failed too. */
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

/** The client deletes its take after this message, so the room's position must be persisted before it. */
function sendFinalized(ctx: StepContext): void {
  if (ctx.room.persistedSeq !== ctx.room.highSeq) persist(ctx);
  send(ctx, { type: "finalized" });
}

/** Combines a pending finalize with a new request. */
function mergeRequests(current: Finalize | null, request: FinalizeRequest): FinalizeRequest {
  if (!current) return request;
  const ranks = ["closeSession", "keepOpen", "end"] as const;
  const after =
    ranks.indexOf(current.after) > ranks.indexOf(request.after) ? current.after : request.after;
  return { notifyClient: current.notifyClient || request.notifyClient, after };
}
