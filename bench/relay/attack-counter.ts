/** For each attack, the number of each outcome. */
export type AttackCounts = Record<string, Record<string, number>>;

/** Counts the outcomes of attacks. */
export class AttackCounter {
  readonly #counts = new Map<string, Map<string, number>>();

  add(attack: string, outcome: string): void {
    const counts = this.#counts.get(attack) ?? new Map<string, number>();
    this.#counts.set(attack, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }

  report(): AttackCounts {
    return Object.fromEntries(
      [...this.#counts].map(([attack, counts]) => [attack, Object.fromEntries(counts)]),
    );
  }
}
