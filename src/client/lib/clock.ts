import type { Clock } from "../realtime/ports.ts";

/** The browser's time and timers. */
export const browserClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
