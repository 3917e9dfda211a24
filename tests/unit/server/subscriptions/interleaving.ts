/**
 * Interleaves concurrent tasks: a task that calls `await turn()` waits until it is picked, and nothing
 * is picked before all other tasks wait or are done, however long their round trips to the database
 * take.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private moving = 0;
  private idle: () => void = () => {};
  private readonly failures: unknown[] = [];

  /** @param pick any natural number; decides which task is next. */
  constructor(private readonly pick: () => number) {}

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.stop();
    });
  }

  start(work: () => Promise<void>): void {
    this.moving += 1;
    work()
      .catch((error: unknown) => this.failures.push(error))
      .finally(() => this.stop());
  }

  private stop(): void {
    this.moving -= 1;
    if (this.moving === 0) this.idle();
  }

  /** Resolves when all tasks are done. */
  async run(): Promise<void> {
    for (;;) {
      if (this.moving > 0)
        await new Promise<void>((resolve) => {
          this.idle = resolve;
        });
      if (this.failures.length > 0) throw this.failures[0];
      const [next] = this.waiting.splice(this.pick() % Math.max(1, this.waiting.length), 1);
      if (!next) return;
      this.moving += 1;
      next();
    }
  }
}
