import { type Clock, Timer } from "#client/lib/clock.ts";
import type { ToastMessage } from "#client/lib/notifications.ts";

/** How long a toast is shown before it gives way to one that waits, ms. */
const leastShownMs = 2_000;

interface ToastView {
  show(message: ToastMessage): void;
  /** Closes the shown toast and calls `handleClosed`. */
  close(): void;
  /** The person has the pointer or the focus on it. */
  isHeld(): boolean;
}

/**
 * Shows toasts one at a time; none is lost but those that a later one makes wrong. A failure is shown at once, and
 * for its full time; one with a button comes before one without, and does not give way to it.
 */
export class ToastQueue {
  #shown: { message: ToastMessage; since: number } | null = null;
  #waiting: readonly ToastMessage[] = [];
  readonly #timer: Timer;

  constructor(
    private readonly clock: Clock,
    private readonly view: ToastView,
  ) {
    this.#timer = new Timer(clock);
  }

  add(message: ToastMessage): void {
    const shown = this.#shown?.message;
    if (shown && isSameText(shown, message)) {
      this.#show(message);
      return;
    }
    this.#waiting = addWaiting(this.#waiting, message);
    if (shown && isSameState(shown, message)) this.view.close();
    else this.#advance();
  }

  /** Closes the toast of `state`, and shows none that waits. */
  withdraw(state: ToastMessage["state"]): void {
    this.#waiting = this.#waiting.filter((message) => message.state !== state);
    if (this.#shown?.message.state === state) this.view.close();
  }

  /** The shown toast has closed, by the person or by its time. */
  handleClosed(): void {
    this.#shown = null;
    this.#advance();
  }

  end(): void {
    this.#timer.cancel();
  }

  #advance(): void {
    this.#timer.cancel();
    const [next, ...rest] = this.#waiting;
    if (!next) return;
    if (!this.#shown) {
      this.#waiting = rest;
      this.#show(next);
      return;
    }
    if (!givesWay(this.#shown.message, next)) return;
    const leastMs = next.kind === "failure" ? 0 : leastShownMs;
    const waitMs = this.#shown.since + leastMs - this.clock.now();
    if (waitMs > 0) this.#timer.start(waitMs, () => this.#advance());
    else if (!this.view.isHeld()) this.view.close();
  }

  #show(message: ToastMessage): void {
    this.#shown = { message, since: this.clock.now() };
    this.view.show(message);
    this.#advance();
  }
}

const isSameText = (one: ToastMessage, other: ToastMessage) =>
  one.title === other.title && one.description === other.description;

const isSameState = (one: ToastMessage, other: ToastMessage) =>
  one.state !== undefined && one.state === other.state;

const getRank = ({ kind, action }: ToastMessage) => (kind === "failure" ? 2 : action ? 1 : 0);

/** Whether `shown` closes before its time because `next` waits. */
const givesWay = (shown: ToastMessage, next: ToastMessage) =>
  shown.kind !== "failure" && getRank(next) >= getRank(shown);

/** In the order in which they are shown. */
const addWaiting = (waiting: readonly ToastMessage[], added: ToastMessage) =>
  [...waiting.filter((one) => !isSameText(one, added) && !isSameState(one, added)), added].sort(
    (one, other) => getRank(other) - getRank(one),
  );
