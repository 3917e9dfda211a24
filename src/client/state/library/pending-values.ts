/**
 * What the server has of things that are being changed. While two changes of one thing are on their way,
 * what is shown before the later one is not yet what a refusal goes back to.
 */
export class Standing<T> {
  readonly #known = new Map<string, { value: T | undefined; pending: number }>();

  /** How the change of `id` from `shown` to `next` ends. `giveBack` gets what the server has after a refusal. */
  begin(id: string, shown: T | undefined, next: T, giveBack: (value: T) => void) {
    const known = this.#known.get(id) ?? { value: shown, pending: 0 };
    known.pending += 1;
    this.#known.set(id, known);
    const end = () => {
      known.pending -= 1;
      if (known.pending === 0) this.#known.delete(id);
    };
    return {
      settle(): undefined {
        known.value = next;
        end();
      },
      undo() {
        end();
        if (known.value !== undefined) giveBack(known.value);
      },
    };
  }
}
