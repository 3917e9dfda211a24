/** Less new sound seldom has a new word. */
const stepMinMs = 800;
/** Until a window has been recognised, ms. */
const firstStepMs = 1_000;
/**
 * Of the time in which somebody speaks, the model computes at most this share in windows that follow the speech: of the
 * time of one core, when it uses two for a while.
 */
const busyMax = 0.8;
/** Of a window's time, the share in which its encoder runs on two threads; measured with Whisper tiny and 13 words. */
const encoderShare = 0.5;
/** How fast the mean follows. */
const newShare = 0.3;

/** How often the speech that goes on is worth a window, by what windows cost on this device. */
export class WindowPace {
  /** Mean of the computing times of windows, of all threads together, ms; null before the first. */
  #costMs: number | null = null;

  /** `encoderThreads`: threads that run a window's encoder. */
  constructor(private readonly encoderThreads: number) {}

  /** `windowMs`: how long a window took. */
  add(windowMs: number): void {
    const ms = windowMs * (1 + encoderShare * (this.encoderThreads - 1));
    this.#costMs = this.#costMs === null ? ms : this.#costMs + newShare * (ms - this.#costMs);
  }

  /** New sound that is worth another window, ms. `isSaving`: the device runs on its battery, so half of the windows. */
  getStepMs(isSaving: boolean): number {
    if (this.#costMs === null) return firstStepMs;
    return Math.max(stepMinMs, this.#costMs / busyMax) * (isSaving ? 2 : 1);
  }
}
