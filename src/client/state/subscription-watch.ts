import type { Clock } from "#client/lib/clock.ts";
import { subscriptionCheckMs, subscriptionDebounceMs } from "#shared/limits.ts";
import type { UserChannelEvents } from "./user-channel.ts";

/** Polling interval while the user channel is not connected. */
const pollIntervalMs = 15_000;
/** Keeps watching while one page replaces another. */
const stopDelayMs = 1_000;

interface WatchPorts {
  clock: Clock;
  /** Asks the server, unless a request is already in flight. Never rejects. */
  check(): Promise<void>;
  /** Asks the server again: a response in flight may be older than the change. Never rejects. */
  recheck(): Promise<void>;
  follow(events: UserChannelEvents): () => void;
}

/**
 * Decides when the subscription is fetched, after the page's first fetch: every 5 minutes, 1 s after the
 * last change of the signed-in user, and when the user channel reports a change. Without that channel it
 * is fetched every 15 s. Nothing is fetched while no component shows it or nobody is signed in.
 */
export class SubscriptionWatch {
  readonly #ports: WatchPorts;
  #watcherCount = 0;
  #userId: string | null = null;
  #watched: { userId: string | null; stop(): void } = { userId: null, stop: () => {} };
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

  authChanged(userId: string | null): void {
    const { clock, check } = this.#ports;
    this.#userId = userId;
    this.#update();
    if (this.#watched.userId === null) return;
    this.#cancelDebounced();
    this.#cancelDebounced = clock.after(subscriptionDebounceMs, () => void check());
  }

  #update(): void {
    const userId = this.#watcherCount > 0 ? this.#userId : null;
    if (userId === this.#watched.userId) return;
    this.#watched.stop();
    this.#watched = { userId, stop: userId === null ? () => {} : this.#start() };
  }

  #start(): () => void {
    const { clock, check, recheck, follow } = this.#ports;
    let isLive = false;
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
        recheckNow();
      },
      onChange: recheckNow,
      onDisconnect() {
        // Further failed connection attempts must not postpone the next check.
        if (!isLive) return;
        isLive = false;
        scheduleCheck();
      },
    });
    scheduleCheck();
    return () => {
      unfollow();
      cancelNext();
      this.#cancelDebounced();
    };
  }
}
