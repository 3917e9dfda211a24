import type { Observable } from "./types.ts";

/** An observable value. Setting the same reference again notifies nobody. */
export class Signal<T> implements Observable<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    // A function of its own, so that one listener subscribed twice is told and removed separately.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The observable that `pick` finds in a source which itself changes: subscribers move along with it. */
export class NestedObservable<S, T> implements Observable<T> {
  constructor(
    readonly source: Observable<S>,
    readonly pick: (source: S) => Observable<T>,
  ) {}

  readonly get = (): T => this.pick(this.source.get()).get();

  readonly subscribe = (listener: () => void): (() => void) => {
    let leave = this.pick(this.source.get()).subscribe(listener);
    const leaveSource = this.source.subscribe(() => {
      leave();
      leave = this.pick(this.source.get()).subscribe(listener);
      listener();
    });
    return () => {
      leave();
      leaveSource();
    };
  };
}
