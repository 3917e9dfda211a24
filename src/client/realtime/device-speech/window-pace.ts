/** Less new sound seldom has a new word. */
const stepMinMs = 800;
/** Until a window has been recognised, ms. */
const firstStepMs = 1_000;
/** Of the time in which somebody speaks, the model computes at most this share in windows that follow the speech. */
const busyMax = 0.75;
/** How fast the mean follows. */
const newShare = 0.3;

/** How often the speech that goes on is worth a window, by what windows cost on this device. */
export class WindowPace {
  /** Mean of the computing times of windows, ms; null before the first. */
  #costMs: number | null = null;

  /** `ms`: computing time of a window. */
  add(ms: number): void {
    this.#costMs = this.#costMs === null ? ms : this.#costMs + newShare * (ms - this.#costMs);
  }

  /** New sound that is worth another window, ms. `isSaving`: the device runs on its battery, so half of the windows. */
  getStepMs(isSaving: boolean): number {
    if (this.#costMs === null) return firstStepMs;
    return Math.max(stepMinMs, this.#costMs / busyMax) * (isSaving ? 2 : 1);
  }
}
