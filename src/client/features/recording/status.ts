import { getRemainingSeconds } from "#client/realtime/allowance.ts";
import type { SessionView } from "#client/realtime/types.ts";
import { allowanceLowMs } from "#shared/limits.ts";
import type { MessageKey } from "./messages/index.ts";

/** Sound that waits this long is nothing to speak of: acknowledgements trail by a few seconds. */
const waitingOfInterest = 3;

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
  grave?: true;
}

/** How little is left of the allowance while recording, as soon as that is worth saying. */
function lowAllowance({ status, usage }: SessionView): Honesty | null {
  const left = usage === null ? Number.POSITIVE_INFINITY : getRemainingSeconds(usage);
  if (status !== "recording" || left * 1_000 > allowanceLowMs) return null;
  const minutes = Math.ceil(left / 60);
  return minutes > 1
    ? { key: "record.minutesLow", values: { minutes }, grave: true }
    : { key: "record.lastMinute", grave: true };
}

/** What else is true just now and worth saying beside it; null when all is well. */
export function honestyOf(view: SessionView): Honesty | null {
  const waiting = view.unsentSeconds > waitingOfInterest;
  if (view.storageState === "memoryFull") return { key: "record.memoryFull", grave: true };
  if (view.status === "recording" && view.microphone === "muted") {
    return { key: "record.microphoneMuted", grave: true };
  }
  if (view.storageState === "full") return { key: "record.storageFull", grave: true };
  if (view.isProviderBusy) {
    return waiting
      ? { key: "record.noLineWaiting", values: { seconds: view.unsentSeconds }, grave: true }
      : { key: "record.noLine", grave: true };
  }
  if (view.connection === "live") {
    const low = lowAllowance(view);
    if (low !== null) return low;
  }
  switch (view.connection) {
    case "reconnecting":
      return waiting
        ? { key: "record.reconnectingWaiting", values: { seconds: view.unsentSeconds } }
        : { key: "record.reconnecting" };
    case "draining":
      return { key: "record.draining" };
    case "connecting":
      return waiting
        ? { key: "record.waiting", values: { seconds: view.unsentSeconds } }
        : { key: "record.connecting" };
    case "live":
    case "idle":
      return waiting ? { key: "record.waiting", values: { seconds: view.unsentSeconds } } : null;
  }
}
