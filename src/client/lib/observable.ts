/** A value that changes outside React. `get` returns the same reference until the value changes. */
export interface Observable<T> {
  get(): T;
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

/** An observable value. Setting the same reference again notifies no listener. */
export class Signal<T> implements Observable<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    // Wrapped, so that a listener that subscribes twice is called and removed separately.
    const wrapped = () => listener();
    this.#listeners.add(wrapped);
    return () => this.#listeners.delete(wrapped);
  };

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** True when `a` and `b` have the same values, by reference. */
export function isShallowEqual<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((key) => Object.is(a[key], b[key]));
}

/** The observable that `pick` selects from the current value of `source`; subscriptions move when that changes. */
export class NestedObservable<S, T> implements Observable<T> {
  constructor(
    readonly source: Observable<S>,
    readonly pick: (source: S) => Observable<T>,
  ) {}

  readonly get = (): T => this.pick(this.source.get()).get();

  readonly subscribe = (listener: () => void): (() => void) => {
    let unsubscribe = this.pick(this.source.get()).subscribe(listener);
    const unsubscribeSource = this.source.subscribe(() => {
      unsubscribe();
      unsubscribe = this.pick(this.source.get()).subscribe(listener);
      listener();
    });
    return () => {
      unsubscribe();
      unsubscribeSource();
    };
  };
}
