/**
 * The values that the server last confirmed, of things with changes in flight. While two changes of one thing
 * are in flight, a failure has to revert to the confirmed value, not to what was shown before the change.
 */
export class PendingValues<T> {
  readonly #entries = new Map<string, { confirmed: T | undefined; pending: number }>();

  /**
   * Registers the change of `id` from `current` to `next`. Returns what to call when it succeeded or failed;
   * `restore` gets the confirmed value after a failure.
   */
  track(id: string, current: T | undefined, next: T, restore: (value: T) => void) {
    const entry = this.#entries.get(id) ?? { confirmed: current, pending: 0 };
    entry.pending += 1;
    this.#entries.set(id, entry);
    const finish = () => {
      entry.pending -= 1;
      if (entry.pending === 0) this.#entries.delete(id);
    };
    return {
      onSuccess(): undefined {
        entry.confirmed = next;
        finish();
      },
      revert() {
        finish();
        if (entry.confirmed !== undefined) restore(entry.confirmed);
      },
    };
  }
}
