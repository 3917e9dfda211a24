import type { RecordingStatus, SessionView } from "./types.ts";

/** `resting` is what it falls back to: `ready` on a blank screen, `paused` with a lecture on it. */
export interface SessionState {
  readonly phase:
    | "resting"
    | "starting"
    | "recording"
    | "stopping"
    | "saving"
    | "loading"
    | "disposed";
  readonly idleStatus: "ready" | "paused";
}

export type SessionEvent =
  | { type: "recordAsked" }
  | { type: "started" }
  /** `content`: there is sound or text to go on with. */
  | { type: "startFailed"; content: boolean }
  | { type: "stopAsked" }
  /** `content` as above. */
  | { type: "stopped"; content: boolean }
  | { type: "saveAsked" }
  | { type: "saved" }
  | { type: "saveFailed" }
  | { type: "loadAsked" }
  | { type: "loaded" }
  | { type: "cleared" }
  /** What was open stays; `content` as above. */
  | { type: "loadFailed"; content: boolean }
  | { type: "disposed" };

export const initialSessionState: SessionState = { phase: "resting", idleStatus: "ready" };

/** The next state; the same object when `event` does not apply. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  const { phase } = state;
  if (phase === "disposed") return state;
  const to = (next: SessionState["phase"], resting = state.idleStatus): SessionState => ({
    phase: next,
    idleStatus: resting,
  });
  switch (event.type) {
    case "recordAsked":
      return phase === "resting" ? to("starting") : state;
    case "started":
      return phase === "starting" ? to("recording") : state;
    case "startFailed":
      if (phase !== "starting") return state;
      return to("resting", event.content ? "paused" : state.idleStatus);
    case "stopAsked":
      return phase === "starting" || phase === "recording" ? to("stopping") : state;
    case "stopped":
      if (phase !== "stopping") return state;
      return to("resting", event.content ? "paused" : state.idleStatus);
    case "saveAsked":
      return phase === "resting" || phase === "recording" ? to("saving") : state;
    case "saved":
      return phase === "saving" ? to("resting", "ready") : state;
    case "saveFailed":
      return phase === "saving" ? to("resting", "paused") : state;
    case "loadAsked":
      // From anywhere: what runs is stopped and saved first. A later one overtakes an earlier.
      return phase === "loading" ? state : to("loading");
    case "loaded":
      return phase === "loading" ? to("resting", "paused") : state;
    case "cleared":
      return phase === "loading" ? to("resting", "ready") : state;
    case "loadFailed":
      if (phase !== "loading") return state;
      return to("resting", event.content ? "paused" : state.idleStatus);
    case "disposed":
      return to("disposed");
    default:
      return event satisfies never;
  }
}

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
    case "resting":
    case "disposed":
      return { status: state.idleStatus, busy: null, canStop };
    default:
      return state.phase satisfies never;
  }
}
