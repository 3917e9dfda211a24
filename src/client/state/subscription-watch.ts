import type { Clock } from "#client/lib/clock.ts";
import { subscriptionCheckMs, subscriptionDebounceMs } from "#shared/limits.ts";
import type { UserChannelEvents } from "./user-channel.ts";

/** Polling interval while the user channel is not connected. */
const pollIntervalMs = 15_000;
/** Keeps watching while one page replaces another. */
const stopDelayMs = 1_000;
/**
 * While the channel is opened for the first time in this time, the first fetch counts as newer. Rarely it misses a change,
 * which the next one brings.
 */
const freshMs = 5_000;

interface WatchPorts {
  clock: Clock;
  /** Asks the server, unless a request is already in flight. Never rejects. */
  check(): Promise<void>;
  /** As `check`, and again after a failure that may pass. */
  load(): Promise<void>;
  /** Asks the server again: a response in flight may be older than the change. Never rejects. */
  recheck(): Promise<void>;
  follow(events: UserChannelEvents): () => void;
}

/**
 * Decides when the subscription is fetched: once a component shows it, or 1 s after the last change of the signed-in
 * user where that is later; then every 5 minutes, and when the user channel reports a change. Without that channel it is
 * fetched every 15 s. Nothing is fetched while no component shows it or nobody is signed in.
 */
export class SubscriptionWatch {
  readonly #ports: WatchPorts;
  #watcherCount = 0;
  #userId: string | null = null;
  #watched: { userId: string | null; stop(): void } = { userId: null, stop: () => {} };
  /** The user has changed less than 1 s ago. */
  #hasJustChanged = false;
  #cancelDebounced = () => {};

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /** Watches until the returned function is called by the last watcher. */
  watch(): () => void {
    this.#watcherCount += 1;
    this.#update();
    return () => {
      this.#watcherCount -= 1;
      if (this.#watcherCount === 0) this.#ports.clock.after(stopDelayMs, () => this.#update());
    };
  }

  /** `userId` is signed in; null: nobody. `changedAt`: since when, ms since the epoch. */
  authChanged(userId: string | null, changedAt: number): void {
    const { clock, load } = this.#ports;
    this.#userId = userId;
    this.#cancelDebounced();
    const waitMs = Math.min(changedAt - clock.now(), 0) + subscriptionDebounceMs;
    this.#hasJustChanged = userId !== null && waitMs > 0;
    if (this.#hasJustChanged)
      this.#cancelDebounced = clock.after(waitMs, () => {
        this.#hasJustChanged = false;
        if (this.#watched.userId !== null) void load();
      });
    this.#update();
  }

  #update(): void {
    const userId = this.#watcherCount > 0 ? this.#userId : null;
    if (userId === this.#watched.userId) return;
    this.#watched.stop();
    this.#watched = { userId, stop: userId === null ? () => {} : this.#start() };
  }

  #start(): () => void {
    const { clock, check, load, recheck, follow } = this.#ports;
    let isLive = false;
    let freshUntil = clock.now() + freshMs;
    let cancelNext = () => {};

    function scheduleCheck(): void {
      cancelNext();
      cancelNext = clock.after(isLive ? subscriptionCheckMs : pollIntervalMs, () => {
        void check();
        scheduleCheck();
      });
    }

    function recheckNow(): void {
      void recheck();
      scheduleCheck();
    }

    const unfollow = follow({
      onOpen() {
        isLive = true;
        if (clock.now() < freshUntil) scheduleCheck();
        else recheckNow();
        freshUntil = 0;
      },
      onChange: recheckNow,
      onDisconnect() {
        // Further failed connection attempts must not postpone the next check.
        if (!isLive) return;
        isLive = false;
        scheduleCheck();
      },
    });
    if (!this.#hasJustChanged) void load();
    scheduleCheck();
    return () => {
      unfollow();
      cancelNext();
    };
  }
}
