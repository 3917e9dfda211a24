import type { Reporter, TestModule } from "vitest/node";

/** Longer than any test or hook may take. */
const limitMs = 180_000;

/** Ends a run that has had no result for too long: Vitest waits without limit for a worker that answers no more. */
export class StallReporter implements Reporter {
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setTimeout(() => {
      console.error("No test has ended for three minutes. Unfinished files:", [...this.#running]);
      process.exit(1);
    }, limitMs);
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
    this.#timer?.refresh();
  }

  onTestCaseResult(): void {
    this.#timer?.refresh();
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#timer?.refresh();
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
  }
}
