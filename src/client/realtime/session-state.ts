import type { RecordingStatus, SessionView } from "./session-types.ts";

/** The phase of a session. `idleStatus`: what `idle` means, `ready` (nothing recorded) or `paused`. */
export interface SessionState {
  readonly phase:
    | "idle"
    | "starting"
    | "recording"
    | "stopping"
    | "saving"
    | "loading"
    | "disposed";
  readonly idleStatus: "ready" | "paused";
}

export type SessionEvent =
  | { type: "recordRequested" }
  | { type: "started" }
  /** `hasContent`: the lecture has audio or text. */
  | { type: "startFailed"; hasContent: boolean }
  | { type: "stopRequested" }
  /** `hasContent` as above. */
  | { type: "stopped"; hasContent: boolean }
  | { type: "saveRequested" }
  | { type: "saved" }
  | { type: "saveFailed" }
  | { type: "loadRequested" }
  | { type: "loaded" }
  | { type: "cleared" }
  /** The previous lecture stays open; `hasContent` as above. */
  | { type: "loadFailed"; hasContent: boolean }
  | { type: "disposed" };

export const initialSessionState: SessionState = { phase: "idle", idleStatus: "ready" };

/** The next state; the same object when `event` does not apply. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  const { phase } = state;
  if (phase === "disposed") return state;
  const to = (next: SessionState["phase"], idleStatus = state.idleStatus): SessionState => ({
    phase: next,
    idleStatus,
  });
  switch (event.type) {
    case "recordRequested":
      return phase === "idle" ? to("starting") : state;
    case "started":
      return phase === "starting" ? to("recording") : state;
    case "startFailed":
      if (phase !== "starting") return state;
      return to("idle", event.hasContent ? "paused" : state.idleStatus);
    case "stopRequested":
      return phase === "starting" || phase === "recording" ? to("stopping") : state;
    case "stopped":
      if (phase !== "stopping") return state;
      return to("idle", event.hasContent ? "paused" : state.idleStatus);
    case "saveRequested":
      return phase === "idle" || phase === "recording" ? to("saving") : state;
    case "saved":
      return phase === "saving" ? to("idle", "ready") : state;
    case "saveFailed":
      return phase === "saving" ? to("idle", "paused") : state;
    case "loadRequested":
      // Allowed in every phase: the command stops and saves first. A later load replaces an earlier one.
      return phase === "loading" ? state : to("loading");
    case "loaded":
      return phase === "loading" ? to("idle", "paused") : state;
    case "cleared":
      return phase === "loading" ? to("idle", "ready") : state;
    case "loadFailed":
      if (phase !== "loading") return state;
      return to("idle", event.hasContent ? "paused" : state.idleStatus);
    case "disposed":
      return to("disposed");
    default:
      return event satisfies never;
  }
}

/** What the page shows of `state`. */
export function toStatus(
  state: SessionState,
): Pick<SessionView, "canStop"> & { status: RecordingStatus; busy: SessionView["busy"] } {
  const canStop = state.phase === "starting" || state.phase === "recording";
  switch (state.phase) {
    case "recording":
      return { status: "recording", busy: null, canStop };
    case "stopping":
      return { status: "recording", busy: "stopping", canStop };
    case "starting":
    case "saving":
    case "loading":
      return { status: state.idleStatus, busy: state.phase, canStop };
    case "idle":
    case "disposed":
      return { status: state.idleStatus, busy: null, canStop };
    default:
      return state.phase satisfies never;
  }
}
