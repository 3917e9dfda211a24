import type { Clock } from "#client/lib/clock.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { Take } from "./take.ts";

interface Deps {
  clock: Clock;
  /** What has become of a take's sound has changed. `isDue`: it is to be saved. */
  onReport(report: RecordedTake, isDue: boolean): void;
}

/** Interval of the due reports of a take that goes on. */
const intervalMs = 60_000;

/** Reports what becomes of the sound of a lecture's takes, and how much was lost while the microphone was gone. */
export class TakeReports {
  /** The last due report of each take, and when it was made; before the first, when the take began. Ms since the epoch. */
  readonly #last = new WeakMap<Take, { report: RecordedTake | null; at: number }>();
  /** When the microphone was lost, ms since the epoch, until the recording goes on; `take`: once its take has ended. */
  #lost: { at: number; take: Take | null } | null = null;

  constructor(private readonly deps: Deps) {}

  /** A report is due when a gap is new, when a take that has ended changes, and once a minute. */
  report(take: Take): void {
    const { report } = take;
    if (report.capturedMs === 0) return;
    const now = this.deps.clock.now();
    const last = this.#last.get(take) ?? { report: null, at: now };
    const isChanged = JSON.stringify(report) !== JSON.stringify(last.report);
    const hasNewGap = JSON.stringify(report.gaps) !== JSON.stringify(last.report?.gaps ?? []);
    const isTime = hasNewGap || take.hasEnded || now - last.at >= intervalMs;
    const isDue = isChanged && isTime;
    this.#last.set(take, isDue ? { report, at: now } : last);
    this.deps.onReport(report, isDue);
  }

  /** A chunk of `take` has arrived; the first one after a loss ends it. */
  onChunk(take: Take): void {
    const lost = this.#lost;
    if (lost?.take) {
      this.#lost = null;
      lost.take.endGap(Math.max(0, this.deps.clock.now() - take.chunkMs - lost.at));
      this.report(lost.take);
    }
    this.report(take);
  }

  onMicrophoneLost(): void {
    this.#lost = { at: this.deps.clock.now(), take: null };
  }

  onTakeEnded(take: Take): void {
    if (this.#lost?.take === null) {
      take.addGap({
        atMs: take.lengthMs,
        lengthMs: null,
        reason: "disconnected",
        isFilled: false,
      });
      this.#lost.take = take;
    }
    this.report(take);
  }
}
