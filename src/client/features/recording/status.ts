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

interface Honesty {
  key: MessageKey;
  values?: Record<string, number>;
  /** Something is being lost, or soon will be. */
  grave?: true;
}

/** What else is true just now and worth saying beside it; null when all is well. */
export function honestyOf(view: SessionView): Honesty | null {
  const waiting = view.waitingSeconds > waitingOfInterest;
  if (view.storage === "memoryFull") return { key: "record.memoryFull", grave: true };
  if (view.status === "recording" && view.microphone === "muted") {
    return { key: "record.microphoneMuted", grave: true };
  }
  if (view.storage === "full") return { key: "record.storageFull", grave: true };
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
