import type { SessionView } from "./session-types.ts";

type Phase = "idle" | "starting" | "recording" | "saving" | "loading" | "disposed";

/** `idleStatus`: what the phase `idle` means, `ready` (nothing recorded) or `paused`. */
export interface SessionState {
  readonly phase: Phase;
  readonly idleStatus: "ready" | "paused";
}

export type SessionEvent =
  | { type: "recordRequested" | "started" | "saveRequested" | "saveEnded" }
  | { type: "loadRequested" | "loaded" | "cleared" | "disposed" }
  /** `hasContent`: the open lecture has audio or text. */
  | { type: "startFailed" | "stopRequested" | "stopped" | "loadFailed"; hasContent: boolean };

export const initialSessionState: SessionState = { phase: "idle", idleStatus: "ready" };

/** For each event: the phases in which it applies, and what follows. `disposed` ends every phase. */
const transitions: Record<
  Exclude<SessionEvent["type"], "disposed">,
  { from: readonly Phase[]; phase?: Phase; idleStatus?: SessionState["idleStatus"] }
> = {
  recordRequested: { from: ["idle"], phase: "starting" },
  started: { from: ["starting"], phase: "recording" },
  startFailed: { from: ["starting"], phase: "idle" },
  // The last words come while the phase is `idle`.
  stopRequested: { from: ["starting", "recording"], phase: "idle" },
  stopped: { from: ["idle", "starting"] },
  // A recording that is being saved has stopped.
  saveRequested: { from: ["idle", "recording"], phase: "saving", idleStatus: "paused" },
  saveEnded: { from: ["saving"], phase: "idle" },
  // The command stops first. During `loading` a later load replaces an earlier one.
  loadRequested: { from: ["idle", "starting", "recording", "saving"], phase: "loading" },
  loaded: { from: ["loading"], phase: "idle", idleStatus: "paused" },
  cleared: { from: ["loading"], phase: "idle", idleStatus: "ready" },
  loadFailed: { from: ["loading"], phase: "idle" },
};

/** The next state; the same object when `event` does not apply. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  if (state.phase === "disposed") return state;
  if (event.type === "disposed") return { ...state, phase: "disposed" };
  const { from, phase = state.phase, idleStatus = state.idleStatus } = transitions[event.type];
  if (!from.includes(state.phase)) return state;
  const isPaused = "hasContent" in event && event.hasContent;
  return { phase, idleStatus: isPaused ? "paused" : idleStatus };
}

/** What the page shows of `state`. */
export function toStatus({
  phase,
  idleStatus,
}: SessionState): Pick<SessionView, "status" | "busy" | "canStop"> {
  return {
    status: phase === "recording" ? "recording" : idleStatus,
    busy: phase === "idle" || phase === "recording" || phase === "disposed" ? null : phase,
    canStop: phase === "starting" || phase === "recording",
  };
}
