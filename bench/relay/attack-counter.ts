/** For each attack how often each thing happened. */
export type AttackCounts = Record<string, Record<string, number>>;

export class AttackCounter {
  readonly #counts = new Map<string, Map<string, number>>();

  add(attack: string, what: string): void {
    const counts = this.#counts.get(attack) ?? new Map<string, number>();
    this.#counts.set(attack, counts.set(what, (counts.get(what) ?? 0) + 1));
  }

  report(): AttackCounts {
    return Object.fromEntries(
      [...this.#counts].map(([attack, counts]) => [attack, Object.fromEntries(counts)]),
    );
  }
}
