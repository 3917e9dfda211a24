/** Sound of an earlier page that is being made words. */
export class Recovery {
  #pending: { seconds: number; rows: number } | null;

  /** `ms`: length of the sound without words, 0 when there is none; `rows`: those that there are. */
  constructor(ms: number, rows: number) {
    this.#pending = ms > 0 ? { seconds: Math.max(Math.ceil(ms / 1_000), 1), rows } : null;
  }

  get pending(): boolean {
    return this.#pending !== null;
  }

  /** `count` rows came from elsewhere: they are not words recovered here. */
  joined(count: number): void {
    if (this.#pending !== null) this.#pending.rows += count;
  }

  /** It is done and there are `rows`: the seconds that became words, or null when none did. */
  finish(rows: number): number | null {
    const pending = this.#pending;
    this.#pending = null;
    return pending !== null && rows > pending.rows ? pending.seconds : null;
  }
}
