import type { Workspace } from "./open-lecture.ts";
import type { Clock } from "./platform/ports.ts";
import { Following, Signal } from "./signal.ts";
import type { SummaryView, TranscriptView } from "./types.ts";

const settlePollMs = 5_000;
/** A lecture that was left is given up after so many refusals. */
const refusalsMax = 3;

/** The last sound is still on its way to the room or its words on their way back. */
const draining = (workspace: Workspace) => workspace.takes.connection === "draining";

/** The open lecture, and those that were left with something still to translate or save. */
export class BackgroundLectures {
  /** The transcript of whichever lecture is open. */
  readonly transcript: TranscriptView;
  readonly summary: Following<Workspace, SummaryView>;
  readonly #clock: Clock;
  readonly #current: Signal<Workspace>;
  readonly #left = new Set<Workspace>();
  readonly #onBackground: () => void;

  /** `onBackground`: work on a lecture that is not open has begun or ended. */
  constructor(clock: Clock, first: Workspace, onBackground: () => void) {
    this.#clock = clock;
    this.#onBackground = onBackground;
    const current = new Signal(first);
    this.#current = current;
    this.transcript = {
      blocks: new Following(current, (workspace) => workspace.transcript.store.blocks),
      live: new Following(current, (workspace) => workspace.transcript.store.live),
      wordCount: new Following(current, (workspace) => workspace.transcript.store.wordCount),
    };
    this.summary = new Following(current, (workspace) => workspace.notes.summary.view);
  }

  get current(): Workspace {
    return this.#current.get();
  }

  /** Closing the page now would lose something of an open or left lecture. */
  get unsaved(): boolean {
    return this.#all.some((workspace) => workspace.unsaved);
  }

  /** Opens `next`. What was open is finished in the background, or dropped unless it is to be kept. */
  replace(next: Workspace, keep: boolean): void {
    const before = this.current;
    if (keep && draining(before)) this.makeWay();
    else before.abandon();
    this.#current.set(next);
    if (keep) void this.finish(before);
    else before.dispose();
  }

  has(recordingId: string): boolean {
    return this.#all.some((workspace) => workspace.recordingId === recordingId);
  }

  /** `next`, the open lecture unless it says so, is about to connect: the others wait until it is done. */
  makeWay(next: Workspace = this.current): void {
    for (const workspace of this.#left) {
      if (workspace !== next && draining(workspace)) workspace.abandon();
    }
  }

  /**
   * Ends what still goes on of a left lecture, so that it can be opened anew: what the server has is
   * then all that there is, but for sound in the spool. False when that does not succeed within `timeoutMs`.
   */
  async end(recordingId: string, timeoutMs: number): Promise<boolean> {
    for (const workspace of [...this.#left]) {
      if (workspace.recordingId !== recordingId) continue;
      this.makeWay(workspace);
      workspace.wake();
      if (this.#mayDrain(workspace)) await workspace.finish(timeoutMs);
      // Its rows would otherwise be missing in the server's copy, or its sound come to nothing.
      if (draining(workspace) || workspace.hasUnsentAudio) return false;
      if (!workspace.stored.created || !(await workspace.stored.flush(timeoutMs))) return false;
      this.#left.delete(workspace);
      workspace.dispose();
    }
    return true;
  }

  /** Lecture `recordingId` is gone: ends what still goes on of it. True when it is the open one. */
  discard(recordingId: string): boolean {
    for (const workspace of [...this.#left]) {
      if (workspace.recordingId !== recordingId) continue;
      this.#left.delete(workspace);
      workspace.discard();
    }
    if (this.current.recordingId !== recordingId) return false;
    this.current.discard();
    return true;
  }

  wake(): void {
    for (const workspace of this.#all) workspace.wake();
  }

  /** Saves everything now; resolves when the server has confirmed it, after `timeoutMs` at the latest. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.all(this.#all.map((workspace) => workspace.stored.flush(timeoutMs)));
  }

  part(): void {
    for (const workspace of this.#all) workspace.stored.part();
  }

  dispose(): void {
    for (const workspace of this.#all) workspace.dispose();
    this.#left.clear();
  }

  get #all(): Workspace[] {
    return [this.current, ...this.#left];
  }

  #mayDrain(workspace: Workspace): boolean {
    return this.#all.every((other) => other === workspace || other.takes.connection === "idle");
  }

  /** Goes on with a left lecture until all of it is with the server, or refused for good. */
  async finish(workspace: Workspace): Promise<void> {
    this.#left.add(workspace);
    this.#onBackground();
    const drains = () => draining(workspace) || workspace.canSend;
    const goesOn = () =>
      this.#left.has(workspace) &&
      workspace.stored.refusals < refusalsMax &&
      (workspace.unsaved || drains());
    while (goesOn()) {
      const began = this.#clock.now();
      if (!workspace.stored.created) await workspace.stored.create().catch(() => {});
      if (workspace.stored.created) {
        if (drains() && this.#mayDrain(workspace)) await workspace.finish(settlePollMs);
        if (workspace.transcript.pendingTranslations === 0)
          await workspace.stored.flush(settlePollMs);
      }
      // What fails at once is not asked for again at once.
      const rest = settlePollMs - Math.max(0, this.#clock.now() - began);
      if (goesOn() && rest > 0) {
        await new Promise<void>((resolve) => this.#clock.after(rest, resolve));
      }
    }
    if (this.#left.delete(workspace)) workspace.dispose();
    this.#onBackground();
  }
}
