import { browserTransport } from "../realtime/browser/transport.ts";
import { browserClock } from "./clock.ts";
import { followLive, type LiveEvents } from "./live.ts";

/** The page is looked at again, or the network is back. */
function onWake(listener: () => void): () => void {
  const visible = () => {
    if (document.visibilityState === "visible") listener();
  };
  window.addEventListener("online", listener);
  document.addEventListener("visibilitychange", visible);
  return () => {
    window.removeEventListener("online", listener);
    document.removeEventListener("visibilitychange", visible);
  };
}

/** Opens the live channel of whoever is signed in; returns the way to close it. */
export const followChannel = (events: LiveEvents): (() => void) =>
  followLive(
    { clock: browserClock, connect: browserTransport.connect, random: Math.random, onWake },
    events,
  );
