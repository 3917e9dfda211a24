import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { LossReason } from "#shared/recorded-take.ts";
import type { NoSoundReason } from "./audio-ports.ts";
import { GapDetector, gapMinMs } from "./gap-watch.ts";
import { SoundLoss } from "./sound-loss.ts";

/** Sound that the device did not deliver. */
export interface MicrophoneGap {
  reason: NoSoundReason;
  lengthMs: number;
  /** Length of the audio that was delivered since its beginning, ms. */
  sinceMs: number;
  /** The device has delivered silence in its place. */
  isFilled: boolean;
}

interface Deps {
  clock: Clock;
  log: Log;
  onGap(gap: MicrophoneGap): void;
  /** See `SoundLoss`. */
  onLoss(reason: LossReason, at: number): void;
  onLossEnd(lengthMs: number): void;
}

/**
 * Counts the sound that a recording does not get: gaps between the chunks of the open device, the absence of its sound, and
 * losses, in which a source is opened. Each moment counts once.
 */
export class LostSound {
  readonly loss: SoundLoss;
  readonly #gapDetector: GapDetector;
  /** Since when the device delivers nothing, ms since the epoch, and the length of the audio before; null: it does. */
  #absence: { reason: NoSoundReason; at: number; receivedMs: number } | null = null;
  /** When the device was opened, ms since the epoch. */
  #openedAt = 0;

  constructor(private readonly deps: Deps) {
    const { clock, log } = deps;
    this.loss = new SoundLoss({ clock, onBegin: deps.onLoss, onEnd: deps.onLossEnd });
    this.#gapDetector = new GapDetector({
      clock,
      log,
      onMissing: (missingMs, sinceMs) => {
        // What is missing since an absence is reported when that ends.
        const lengthMs = missingMs - this.#measureAbsence(this.#gapDetector.lastAt ?? 0);
        if (lengthMs >= gapMinMs)
          deps.onGap({ reason: "notDelivered", lengthMs, sinceMs, isFilled: false });
      },
    });
  }

  /** A device is being opened. */
  onOpen(): void {
    this.#absence = null;
    this.#gapDetector.reset();
    this.#openedAt = this.deps.clock.now();
  }

  /** Why the open device delivers nothing from now on; null: it delivers again. */
  setReason(reason: NoSoundReason | null): void {
    if ((this.#absence?.reason ?? null) === reason) return;
    if (!this.loss.isGoingOn) this.#endAbsence();
    const { lastAt, receivedMs } = this.#gapDetector;
    // What was missing just before has the same cause.
    this.#absence = reason && { reason, at: this.#toQuietSince(lastAt), receivedMs };
  }

  /** A chunk that has begun at `at`, ms since the epoch. `isLate`: its device is not open any more. */
  onChunk(at: number, lengthMs: number, isLate: boolean): void {
    if (!isLate && this.loss.isGoingOn) {
      this.loss.end(at);
      const { receivedMs } = this.#gapDetector;
      if (this.#absence !== null) this.#absence = { ...this.#absence, at, receivedMs };
    }
    this.#gapDetector.onChunk(lengthMs);
  }

  /** The source has ended or stalled. What came before is reported; since the last sound it is a loss. */
  beginLoss(reason: "disconnected" | "notDelivered"): void {
    if (this.loss.isGoingOn) return;
    const now = this.deps.clock.now();
    const { lastAt, receivedMs } = this.#gapDetector;
    const absence = this.#absence;
    let quietSince = lastAt ?? this.#openedAt;
    let gapReason: LossReason = reason;
    if (absence !== null && absence.receivedMs === receivedMs) {
      quietSince = absence.at;
      if (reason === "notDelivered") gapReason = absence.reason;
    } else if (absence !== null) {
      this.#endAbsence();
      quietSince = now;
    }
    this.#absence = null;
    this.#gapDetector.endWithLast();
    // The last chunk is incomplete, and comes when the source is closed.
    this.loss.begin(gapReason, this.#toQuietSince(quietSince));
  }

  /** `at`, unless that is too short ago for a gap; otherwise now. Null: nothing has come yet. */
  #toQuietSince(at: number | null): number {
    const now = this.deps.clock.now();
    return at !== null && now - at >= gapMinMs ? at : now;
  }

  /** The device is closed. */
  onClosed(): void {
    if (!this.loss.isGoingOn) this.#endAbsence();
    this.#gapDetector.end();
  }

  /** How much sound the absence has left out up to `until`, ms. */
  #measureAbsence(until: number): number {
    if (this.#absence === null) return 0;
    const { at, receivedMs } = this.#absence;
    return Math.max(0, until - at - (this.#gapDetector.receivedMs - receivedMs));
  }

  /** A muted device delivers silence, or nothing. */
  #endAbsence(): void {
    const absence = this.#absence;
    if (absence === null) return;
    const { clock, onGap } = this.deps;
    const { reason, receivedMs } = absence;
    const sinceMs = this.#gapDetector.receivedMs - receivedMs;
    const absentMs = this.#measureAbsence(clock.now());
    this.#absence = null;
    if (reason === "muted" && sinceMs >= gapMinMs)
      onGap({ reason, sinceMs, lengthMs: sinceMs, isFilled: true });
    if (absentMs < gapMinMs) return;
    onGap({ reason, sinceMs, lengthMs: absentMs, isFilled: false });
    this.#gapDetector.skip(absentMs);
  }
}
