import { browserClock, onWake } from "#client/realtime/platform/clock.ts";
import { browserTransport } from "#client/realtime/platform/websocket-transport.ts";
import { followLiveUpdates, type LiveEvents } from "./live-updates.ts";

export const openLiveChannel = (events: LiveEvents): (() => void) =>
  followLiveUpdates(
    { clock: browserClock, connect: browserTransport.connect, random: Math.random, onWake },
    events,
  );
