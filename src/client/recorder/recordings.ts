import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { Clock } from "#client/lib/clock.ts";
import { type Observable, Signal } from "#client/lib/observable.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import type { LectureRecording } from "./lecture-recording.ts";

const pollMs = 5_000;
/** After so many refusals by the server, the text of a recording in the background waits without it. */
const refusalsMax = 3;

const isDraining = (recording: LectureRecording) =>
  recording.takes.recognition.state === "draining";

/**
 * Owns the current recording and those in the background: no longer shown, but with audio, translations or
 * rows that are not saved yet. At most one of them is connected to its room.
 */
export class Recordings {
  readonly #current: Signal<LectureRecording>;
  /** The lecture of the current one. */
  readonly lecture: Observable<EditableLecture>;
  readonly #background = new Set<LectureRecording>();

  /** `onBackgroundChange`: a recording in the background was added or is finished. */
  constructor(
    private readonly clock: Clock,
    first: LectureRecording,
    private readonly onBackgroundChange: () => void,
  ) {
    const current = new Signal(first);
    this.#current = current;
    this.lecture = {
      get: () => current.get().lecture,
      subscribe: current.subscribe,
    };
  }

  get current(): LectureRecording {
    return this.#current.get();
  }

  /** Closing the page now would lose something of any recording here. */
  get hasUnsavedChanges(): boolean {
    return this.#all.some((recording) => recording.hasUnsavedChanges);
  }

  /** Makes `next` the current one. The previous one is finished in the background if `keep`, else dropped. */
  replace(next: LectureRecording, keep: boolean): void {
    const before = this.current;
    if (keep && isDraining(before)) this.yieldConnection();
    else before.closeConnection();
    this.#current.set(next);
    if (keep) void this.finishInBackground(before);
    else before.dispose();
  }

  find(lectureId: string): LectureRecording | undefined {
    return this.#all.find((recording) => recording.lectureId === lectureId);
  }

  /** Disconnects those in the background, because `next` is about to connect. They go on afterwards. */
  yieldConnection(next: LectureRecording = this.current): void {
    for (const recording of this.#background) {
      if (recording !== next && isDraining(recording)) recording.closeConnection();
    }
  }

  /** Makes the recording of lecture `lectureId` in the background the current one, disconnected. Null if there is none. */
  reopen(lectureId: string): LectureRecording | null {
    const recording = [...this.#background].find((one) => one.lectureId === lectureId);
    if (recording === undefined) return null;
    this.#background.delete(recording);
    recording.closeConnection();
    this.replace(recording, true);
    return recording;
  }

  /**
   * Drops the recording of lecture `lectureId`, which was deleted. Its sound waits on the device: it may come back from the
   * trash. True when it is the current one.
   */
  discard(lectureId: string): boolean {
    for (const recording of [...this.#background]) {
      if (recording.lectureId !== lectureId) continue;
      this.#background.delete(recording);
      recording.dispose();
    }
    if (this.current.lectureId !== lectureId) return false;
    this.current.dispose();
    return true;
  }

  wake(): void {
    for (const recording of this.#all) recording.wake();
    if (this.current.adoption.isDue) void this.recoverAudio();
  }

  /** Sends audio that closed tabs have left of the current lecture. If it is unreadable, `wake` tries again. */
  async recoverAudio(): Promise<void> {
    const recording = this.current;
    await recording.adoption.adopt();
    if (recording.isDisposed || recording !== this.current || !recording.hasSendableAudio) return;
    this.yieldConnection();
    recording.takes.recognition.start(false);
  }

  dispose(): void {
    for (const recording of this.#all) recording.dispose();
    this.#background.clear();
  }

  get #all(): LectureRecording[] {
    return [this.current, ...this.#background];
  }

  /** No other recording is connected. */
  #canConnect(recording: LectureRecording): boolean {
    return this.#all.every(
      (other) => other === recording || other.takes.recognition.state === "idle",
    );
  }

  /** Works on a recording that is not the current one until everything is saved, or refused for good. */
  async finishInBackground(recording: LectureRecording): Promise<void> {
    this.#background.add(recording);
    this.onBackgroundChange();
    await recording.adoption.whenIdle();
    const hasAudioToSend = () => isDraining(recording) || recording.hasSendableAudio;
    const isUnfinished = () =>
      this.#background.has(recording) &&
      recording.stored.refusalCount < refusalsMax &&
      (recording.hasUnsavedChanges || hasAudioToSend());
    while (isUnfinished()) {
      const startedAt = this.clock.now();
      if (!recording.stored.isCreated) await recording.stored.create().catch(() => {});
      if (recording.stored.isCreated) {
        if (hasAudioToSend() && this.#canConnect(recording)) await recording.finish(pollMs);
        if (recording.writer.translator.pendingCount === 0) await recording.stored.flush(pollMs);
      }
      // Waits even if a step failed at once, so that the server is not called in a tight loop.
      const restMs = pollMs - Math.max(0, this.clock.now() - startedAt);
      if (isUnfinished() && restMs > 0) await pause(this.clock, restMs);
    }
    if (this.#background.delete(recording)) recording.close();
    this.onBackgroundChange();
  }
}
