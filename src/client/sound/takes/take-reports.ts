import type { Clock } from "#client/lib/clock.ts";
import type { LossReason, RecordedTake } from "#shared/recorded-take.ts";
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
  /** The gap that goes on, since `at`, ms since the epoch. `isLeft`: the first chunk of another take ends it. */
  #gap: { take: Take; at: number; isLeft: boolean } | null = null;

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

  /** A chunk of `take` has arrived. */
  onChunk(take: Take): void {
    const gap = this.#gap;
    if (gap?.isLeft === true && gap.take !== take)
      this.endGap(Math.max(0, this.deps.clock.now() - take.chunkMs - gap.at));
    this.report(take);
  }

  /** `take` gets no sound since `at`, ms since the epoch. */
  beginGap(take: Take, reason: LossReason, at: number): void {
    take.addGap({ atMs: take.lengthMs, lengthMs: null, reason, isFilled: false });
    this.#gap = { take, at, isLeft: false };
    this.report(take);
  }

  endGap(lengthMs: number): void {
    const gap = this.#gap;
    if (gap === null) return;
    this.#gap = null;
    gap.take.endGap(lengthMs);
    this.report(gap.take);
  }

  leaveGap(): void {
    if (this.#gap !== null) this.#gap.isLeft = true;
  }
}
