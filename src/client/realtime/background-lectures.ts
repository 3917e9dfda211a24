import type { OpenLecture } from "./open-lecture.ts";
import type { Clock } from "./platform/ports.ts";
import { NestedObservable, Signal } from "./signal.ts";
import type { SummaryView, TranscriptView } from "./types.ts";

const settlePollMs = 5_000;
/** A lecture that was left is given up after so many refusals. */
const refusalsMax = 3;

/** The last sound is still on its way to the room or its words on their way back. */
const draining = (lecture: OpenLecture) => lecture.takes.connection === "draining";

/** The open lecture, and those that were left with something still to translate or save. */
export class BackgroundLectures {
  /** The transcript of whichever lecture is open. */
  readonly transcript: TranscriptView;
  readonly summary: NestedObservable<OpenLecture, SummaryView>;
  readonly #clock: Clock;
  readonly #current: Signal<OpenLecture>;
  readonly #background = new Set<OpenLecture>();
  readonly #onBackgroundChange: () => void;

  /** `onBackground`: work on a lecture that is not open has begun or ended. */
  constructor(clock: Clock, first: OpenLecture, onBackground: () => void) {
    this.#clock = clock;
    this.#onBackgroundChange = onBackground;
    const current = new Signal(first);
    this.#current = current;
    this.transcript = {
      blocks: new NestedObservable(current, (lecture) => lecture.transcript.store.blocks),
      live: new NestedObservable(current, (lecture) => lecture.transcript.store.live),
      wordCount: new NestedObservable(current, (lecture) => lecture.transcript.store.wordCount),
    };
    this.summary = new NestedObservable(current, (lecture) => lecture.details.summary.view);
  }

  get current(): OpenLecture {
    return this.#current.get();
  }

  /** Closing the page now would lose something of an open or left lecture. */
  get hasUnsavedChanges(): boolean {
    return this.#all.some((lecture) => lecture.hasUnsavedChanges);
  }

  /** Opens `next`. What was open is finished in the background, or dropped unless it is to be kept. */
  replace(next: OpenLecture, keep: boolean): void {
    const before = this.current;
    if (keep && draining(before)) this.yieldConnection();
    else before.closeConnection();
    this.#current.set(next);
    if (keep) void this.finishInBackground(before);
    else before.dispose();
  }

  has(recordingId: string): boolean {
    return this.#all.some((lecture) => lecture.lectureId === recordingId);
  }

  /** `next`, the open lecture unless it says so, is about to connect: the others wait until it is done. */
  yieldConnection(next: OpenLecture = this.current): void {
    for (const lecture of this.#background) {
      if (lecture !== next && draining(lecture)) lecture.closeConnection();
    }
  }

  /**
   * Ends what still goes on of a left lecture, so that it can be opened anew: what the server has is
   * then all that there is, but for sound in the spool. False when that does not succeed within `timeoutMs`.
   */
  async close(recordingId: string, timeoutMs: number): Promise<boolean> {
    for (const lecture of [...this.#background]) {
      if (lecture.lectureId !== recordingId) continue;
      this.yieldConnection(lecture);
      lecture.wake();
      if (this.#canConnect(lecture)) await lecture.finish(timeoutMs);
      // Its rows would otherwise be missing in the server's copy, or its sound come to nothing.
      if (draining(lecture) || lecture.hasUnsentAudio) return false;
      if (!lecture.stored.isCreated || !(await lecture.stored.flush(timeoutMs))) return false;
      this.#background.delete(lecture);
      lecture.dispose();
    }
    return true;
  }

  /** Lecture `recordingId` is gone: ends what still goes on of it. True when it is the open one. */
  discard(recordingId: string): boolean {
    for (const lecture of [...this.#background]) {
      if (lecture.lectureId !== recordingId) continue;
      this.#background.delete(lecture);
      lecture.discard();
    }
    if (this.current.lectureId !== recordingId) return false;
    this.current.discard();
    return true;
  }

  wake(): void {
    for (const lecture of this.#all) lecture.wake();
  }

  /** Saves everything now; resolves when the server has confirmed it, after `timeoutMs` at the latest. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.all(this.#all.map((lecture) => lecture.stored.flush(timeoutMs)));
  }

  sendBeforeUnload(): void {
    for (const lecture of this.#all) lecture.stored.sendBeforeUnload();
  }

  dispose(): void {
    for (const lecture of this.#all) lecture.dispose();
    this.#background.clear();
  }

  get #all(): OpenLecture[] {
    return [this.current, ...this.#background];
  }

  #canConnect(lecture: OpenLecture): boolean {
    return this.#all.every((other) => other === lecture || other.takes.connection === "idle");
  }

  /** Goes on with a left lecture until all of it is with the server, or refused for good. */
  async finishInBackground(lecture: OpenLecture): Promise<void> {
    this.#background.add(lecture);
    this.#onBackgroundChange();
    const drains = () => draining(lecture) || lecture.hasSendableAudio;
    const goesOn = () =>
      this.#background.has(lecture) &&
      lecture.stored.refusalCount < refusalsMax &&
      (lecture.hasUnsavedChanges || drains());
    while (goesOn()) {
      const began = this.#clock.now();
      if (!lecture.stored.isCreated) await lecture.stored.create().catch(() => {});
      if (lecture.stored.isCreated) {
        if (drains() && this.#canConnect(lecture)) await lecture.finish(settlePollMs);
        if (lecture.transcript.pendingTranslations === 0) await lecture.stored.flush(settlePollMs);
      }
      // What fails at once is not asked for again at once.
      const rest = settlePollMs - Math.max(0, this.#clock.now() - began);
      if (goesOn() && rest > 0) {
        await new Promise<void>((resolve) => this.#clock.after(rest, resolve));
      }
    }
    if (this.#background.delete(lecture)) lecture.dispose();
    this.#onBackgroundChange();
  }
}
