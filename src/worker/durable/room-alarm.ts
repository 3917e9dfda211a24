/** How far ahead the stored alarm is set while a timer keeps the deadlines, ms. */
const backupMs = 60_000;
/** A stored alarm that is nearer than this is set again: with a snapshot, and at the latest, ms. */
const renewWithSnapshotMs = 40_000;
const renewAtLatestMs = 10_000;

/**
 * Wakes a room at its next deadline. An alarm in the storage outlives the room's memory, but each one costs two writes.
 * A provider session keeps the room in memory: then a timer keeps the deadlines, and the stored alarm, about a minute
 * ahead, only wakes a room that was lost.
 */
export class RoomAlarm {
  /** Time of the stored alarm, ms since the epoch; null if unknown. */
  #storedAt: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly storeAlarm: (at: number) => void,
    private readonly wake: () => void,
  ) {}

  /** Sets the alarm to `at`, ms since the epoch. `hasSession`: a provider session is open or being opened. */
  set(at: number, now: number, hasSession: boolean): void {
    clearTimeout(this.#timer);
    if (!hasSession) {
      this.#store(at);
      return;
    }
    this.#timer = setTimeout(this.wake, at - now);
    this.#renew(now, renewAtLatestMs);
  }

  /** Called with each snapshot that is stored during a session: one commit writes both. */
  renewWithSnapshot(now: number): void {
    this.#renew(now, renewWithSnapshotMs);
  }

  /** The stored alarm has fired. */
  onFired(): void {
    this.#storedAt = null;
  }

  #renew(now: number, untilMs: number): void {
    if (this.#storedAt === null || this.#storedAt < now + untilMs) this.#store(now + backupMs);
  }

  #store(at: number): void {
    this.#storedAt = at;
    this.storeAlarm(at);
  }
}
