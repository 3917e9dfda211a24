import type { Clock } from "#client/realtime/platform/ports.ts";
import { subscriptionCheckMs, subscriptionDebounceMs } from "#shared/limits.ts";
import type { LiveEvents } from "./live-updates.ts";

/** Polling interval while there is no live channel. */
const pollIntervalMs = 15_000;
/** Keeps watching while one page replaces another. */
const stopDelayMs = 1_000;

interface WatchPorts {
  clock: Clock;
  /** Asks the server, unless a request is already in flight. Never rejects. */
  check(): Promise<void>;
  /** Asks the server again: a response in flight may be older than the change. Never rejects. */
  recheck(): Promise<void>;
  follow(events: LiveEvents): () => void;
}

/**
 * Decides when the subscription is fetched, after the page's first fetch: every 5 minutes, 1 s after the
 * last change of the signed-in user, and when the live channel reports a change. Without a live channel it
 * is fetched every 15 s. Nothing is fetched while no component shows it or nobody is signed in.
 */
export class SubscriptionWatch {
  readonly #ports: WatchPorts;
  #watcherCount = 0;
  #userId: string | null = null;
  #watchedUserId: string | null = null;
  #isLive = false;
  #unfollow: (() => void) | null = null;
  #cancelNext: (() => void) | null = null;
  #cancelDebounced: (() => void) | null = null;

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
    this.#userId = userId;
    this.#update();
    if (this.#watchedUserId === null) return;
    this.#cancelDebounced?.();
    this.#cancelDebounced = this.#ports.clock.after(subscriptionDebounceMs, () => {
      this.#cancelDebounced = null;
      void this.#ports.check();
    });
  }

  #update(): void {
    const userId = this.#watcherCount > 0 ? this.#userId : null;
    if (userId === this.#watchedUserId) return;
    this.#stop();
    this.#watchedUserId = userId;
    if (userId !== null) this.#start();
  }

  #start(): void {
    this.#unfollow = this.#ports.follow({
      onOpen: () => {
        this.#isLive = true;
        void this.#ports.recheck();
        this.#scheduleCheck();
      },
      onChange: () => {
        void this.#ports.recheck();
        this.#scheduleCheck();
      },
      onDisconnect: () => {
        const wasLive = this.#isLive;
        this.#isLive = false;
        // Further failed connection attempts must not postpone the next check.
        if (wasLive) this.#scheduleCheck();
      },
    });
    this.#scheduleCheck();
  }

  #stop(): void {
    this.#unfollow?.();
    this.#cancelNext?.();
    this.#cancelDebounced?.();
    this.#unfollow = null;
    this.#cancelNext = null;
    this.#cancelDebounced = null;
    this.#isLive = false;
  }

  #scheduleCheck(): void {
    this.#cancelNext?.();
    const delayMs = this.#isLive ? subscriptionCheckMs : pollIntervalMs;
    this.#cancelNext = this.#ports.clock.after(delayMs, () => {
      void this.#ports.check();
      this.#scheduleCheck();
    });
  }
}
