/** Handles one event at a time: an effect that causes another event does not interrupt the remaining effects. */
export class EventQueue<Event extends object> {
  readonly #waiting: Event[] = [];
  #isRunning = false;

  constructor(private readonly handle: (event: Event) => void) {}

  add(event: Event): void {
    this.#waiting.push(event);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.handle(next);
    } finally {
      this.#isRunning = false;
    }
  }
}
