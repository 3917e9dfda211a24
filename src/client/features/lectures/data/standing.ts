interface Pending<T> {
  /** The server took it. */
  took(value: T): void;
  /** It did not; returns what it has. */
  refused(): T;
}

/**
 * What the server has of things that are being changed. While two changes of one thing are on their way,
 * what is shown before the later one is not yet what a refusal goes back to.
 */
export class Standing<T> {
  readonly #known = new Map<string, { value: T; pending: number }>();

  /** A change of `id` begins; `shown` is what is seen of it by now. */
  begin(id: string, shown: T): Pending<T> {
    const known = this.#known.get(id) ?? { value: shown, pending: 0 };
    known.pending += 1;
    this.#known.set(id, known);
    const end = () => {
      known.pending -= 1;
      if (known.pending === 0) this.#known.delete(id);
    };
    return {
      took(value) {
        known.value = value;
        end();
      },
      refused() {
        end();
        return known.value;
      },
    };
  }
}
