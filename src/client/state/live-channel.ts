import { browserClock, onWake } from "#client/realtime/platform/clock.ts";
import { browserTransport } from "#client/realtime/platform/websocket-transport.ts";
import { followLive, type LiveEvents } from "./live-updates.ts";

export const followChannel = (events: LiveEvents): (() => void) =>
  followLive(
    { clock: browserClock, connect: browserTransport.connect, random: Math.random, onWake },
    events,
  );
