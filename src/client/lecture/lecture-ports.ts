import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";

/** What a lecture needs of the browser. */
export interface LecturePorts {
  clock: Clock;
  log: Log;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  /** A new UUID. */
  newId(): string;
}
