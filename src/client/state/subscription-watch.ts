import type { Clock } from "#client/realtime/platform/ports.ts";
import { subscriptionCheckMs, subscriptionDebounceMs } from "#shared/limits.ts";
import type { LiveEvents } from "./live-updates.ts";

/** How often is asked while the server cannot tell. */
const pollIntervalMs = 15_000;
/** A page that makes way for the next one does not end the watch. */
const stopDelayMs = 1_000;

interface WatchPorts {
  clock: Clock;
  /** Asks the server; does nothing where it is being asked. Never rejects. */
  check(): Promise<void>;
  /** Asks the server anew: an answer that is under way may be of before the change. Never rejects. */
  recheck(): Promise<void>;
  follow(events: LiveEvents): () => void;
}

/**
 * When the subscription is asked for, beside the page's first look at it: every 5 minutes, 1 s after
 * the last change of who is signed in, and when the live channel tells of a change. While there is
 * no channel it is asked for every 15 s. Nothing is asked where nothing shows it, or nobody is
 * signed in.
 */
export class SubscriptionWatch {
  readonly #ports: WatchPorts;
  #holders = 0;
  #userId: string | null = null;
  #watched: string | null = null;
  #live = false;
  #leave: (() => void) | null = null;
  #cancelNext: (() => void) | null = null;
  #cancelDebounced: (() => void) | null = null;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /** Watches until the returned function is called, or longer where somebody else wants it. */
  watch(): () => void {
    this.#holders += 1;
    this.#settle();
    return () => {
      this.#holders -= 1;
      if (this.#holders === 0) this.#ports.clock.after(stopDelayMs, () => this.#settle());
    };
  }

  authChanged(userId: string | null): void {
    this.#userId = userId;
    this.#settle();
    if (this.#watched === null) return;
    this.#cancelDebounced?.();
    this.#cancelDebounced = this.#ports.clock.after(subscriptionDebounceMs, () => {
      this.#cancelDebounced = null;
      void this.#ports.check();
    });
  }

  #settle(): void {
    const wanted = this.#holders > 0 ? this.#userId : null;
    if (wanted === this.#watched) return;
    this.#stop();
    this.#watched = wanted;
    if (wanted !== null) this.#start();
  }

  #start(): void {
    this.#leave = this.#ports.follow({
      onOpen: () => {
        this.#live = true;
        void this.#ports.recheck();
        this.#checkLater();
      },
      onChange: () => {
        void this.#ports.recheck();
        this.#checkLater();
      },
      onDisconnect: () => {
        const wasLive = this.#live;
        this.#live = false;
        // A try that fails again must not put off the next question.
        if (wasLive) this.#checkLater();
      },
    });
    this.#checkLater();
  }

  #stop(): void {
    this.#leave?.();
    this.#cancelNext?.();
    this.#cancelDebounced?.();
    this.#leave = null;
    this.#cancelNext = null;
    this.#cancelDebounced = null;
    this.#live = false;
  }

  #checkLater(): void {
    this.#cancelNext?.();
    const delayMs = this.#live ? subscriptionCheckMs : pollIntervalMs;
    this.#cancelNext = this.#ports.clock.after(delayMs, () => {
      void this.#ports.check();
      this.#checkLater();
    });
  }
}
