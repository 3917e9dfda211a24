import type { MessageKey } from "../../i18n/index.ts";
import type { SessionView } from "../../realtime/contract.ts";

/** Sound that waits this long is nothing to speak of: acknowledgements trail by a few seconds. */
const waitingOfInterest = 3;

/** The word for what the recording does. */
export function statusOf(view: SessionView): MessageKey {
  if (view.busy === "loading") return "record.loading";
  if (view.microphone === "asking") return "record.askingMicrophone";
  switch (view.status) {
    case "recording":
      return "record.recording";
    case "paused":
      return "record.paused";
    case "ready":
      return "record.ready";
  }
}

/** What else is true just now and worth saying beside it; null when all is well. */
export function honestyOf(
  view: SessionView,
): { key: MessageKey; values?: Record<string, number> } | null {
  const waiting = view.waitingSeconds > waitingOfInterest;
  if (view.status === "recording" && view.microphone === "muted") {
    return { key: "record.microphoneMuted" };
  }
  switch (view.connection) {
    case "reconnecting":
      return waiting
        ? { key: "record.reconnectingWaiting", values: { seconds: view.waitingSeconds } }
        : { key: "record.reconnecting" };
    case "draining":
      return { key: "record.draining" };
    case "connecting":
      return waiting
        ? { key: "record.waiting", values: { seconds: view.waitingSeconds } }
        : { key: "record.connecting" };
    case "live":
    case "idle":
      return waiting ? { key: "record.waiting", values: { seconds: view.waitingSeconds } } : null;
  }
}
