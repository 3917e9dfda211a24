import { browserClock, onWake } from "../realtime/browser/clock.ts";
import { browserTransport } from "../realtime/browser/transport.ts";
import { followLive, type LiveEvents } from "./live.ts";

export const followChannel = (events: LiveEvents): (() => void) =>
  followLive(
    { clock: browserClock, connect: browserTransport.connect, random: Math.random, onWake },
    events,
  );
