/** A minute, and the time by which a session can reach the service later than the one before. */
const windowMs = 65_000;
/** A room that has not come so long after its time is gone. */
const keptMs = 30_000;

/** Rooms that wait for their times. */
export interface OpeningQueue {
  waiting: number;
  /** How long the last of them still waits, ms. */
  longestWaitMs: number;
}

/** The times that rooms were given. */
export interface GivenTimes {
  /** Those of the last minute and of the future, ascending, ms since the epoch. */
  times: number[];
  /** Those for which rooms wait, by room. */
  places: Map<string, number>;
}

/**
 * When the site may open sessions of the speech service, which allows a number of them a minute and counts refused
 * ones too: if every room tried again by itself, a thousand rooms would exceed the number for ever, and none would
 * be heard. Each room gets a time of its own instead, in the order in which they ask.
 */
export class OpeningPace {
  #times: number[];
  readonly #places: Map<string, number>;

  constructor({ times, places }: GivenTimes = { times: [], places: new Map() }) {
    this.#times = times;
    this.#places = places;
  }

  /** What another `OpeningPace` goes on from. */
  get given(): GivenTimes {
    return { times: this.#times, places: this.#places };
  }

  /**
   * How long `room` waits before it opens a session, ms; 0: now. A room that asks again before its time keeps it.
   *
   * @param maxAMinute sessions of the site in any minute
   */
  reserve(room: string, maxAMinute: number, now: number): number {
    const place = this.#places.get(room);
    if (place !== undefined && place > now) return place - now;
    this.#forget(now);
    if (this.#places.delete(room)) return 0;
    const first = this.#times.at(-maxAMinute);
    const at = Math.max(now, first === undefined ? 0 : first + windowMs);
    this.#times.push(at);
    if (at > now) this.#places.set(room, at);
    return at - now;
  }

  readQueue(now: number): OpeningQueue {
    const waits = [...this.#places.values()].map((at) => at - now).filter((ms) => ms > 0);
    return { waiting: waits.length, longestWaitMs: waits.reduce((a, b) => Math.max(a, b), 0) };
  }

  #forget(now: number): void {
    const kept = this.#times.findIndex((time) => time > now - windowMs);
    this.#times = kept === -1 ? [] : this.#times.slice(kept);
    for (const [room, at] of this.#places) if (at < now - keptMs) this.#places.delete(room);
  }
}
