import type { SummaryView, TranscriptView } from "./contract.ts";
import type { Clock } from "./ports.ts";
import { Following, Signal } from "./signal.ts";
import type { Workspace } from "./workspace.ts";

const settlePollMs = 5_000;
/** A lecture that was left is given up after so many refusals. */
const refusalsMax = 3;

/** The last sound is still on its way to the room or its words on their way back. */
const draining = (workspace: Workspace) => workspace.link.state === "draining";

/** The open lecture, and those that were left with something still to translate or save. */
export class Shelf {
  /** The transcript of whichever lecture is open. */
  readonly transcript: TranscriptView;
  readonly summary: Following<Workspace, SummaryView>;
  readonly #clock: Clock;
  readonly #current: Signal<Workspace>;
  readonly #left = new Set<Workspace>();

  constructor(clock: Clock, first: Workspace) {
    this.#clock = clock;
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

  /**
   * Opens `next`. What was open goes on until its last sound has words and its rows are translated
   * and saved; or not at all, unless it is to be kept.
   */
  replace(next: Workspace, keep: boolean): void {
    const before = this.current;
    if (keep && draining(before)) this.makeWay();
    else before.abandon();
    this.#current.set(next);
    if (keep) void this.#finish(before);
    else before.dispose();
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
      if (draining(workspace) || workspace.link.waits) return false;
      if (!workspace.created || !(await workspace.flush(timeoutMs))) return false;
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

  /** The network may be back. */
  wake(): void {
    for (const workspace of this.#all) workspace.wake();
  }

  /** Saves everything now; resolves when the server has confirmed it, after `timeoutMs` at the latest. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.all(this.#all.map((workspace) => workspace.flush(timeoutMs)));
  }

  /** The page may be gone any moment. */
  part(): void {
    for (const workspace of this.#all) workspace.part();
  }

  dispose(): void {
    for (const workspace of this.#all) workspace.dispose();
    this.#left.clear();
  }

  get #all(): Workspace[] {
    return [this.current, ...this.#left];
  }

  #mayDrain(workspace: Workspace): boolean {
    return this.#all.every((other) => other === workspace || other.link.state === "idle");
  }

  /** Goes on with a left lecture until all of it is with the server, or refused for good. */
  async #finish(workspace: Workspace): Promise<void> {
    this.#left.add(workspace);
    const drains = () => draining(workspace) || workspace.drainable;
    const goesOn = () =>
      this.#left.has(workspace) &&
      workspace.refusals < refusalsMax &&
      (workspace.unsaved || drains());
    while (goesOn()) {
      const began = this.#clock.now();
      if (!workspace.created) await workspace.create().catch(() => {});
      if (workspace.created) {
        if (drains() && this.#mayDrain(workspace)) await workspace.finish(settlePollMs);
        if (workspace.transcript.pendingTranslations === 0) await workspace.flush(settlePollMs);
      }
      // What fails at once is not asked for again at once.
      const rest = settlePollMs - Math.max(0, this.#clock.now() - began);
      if (goesOn() && rest > 0) {
        await new Promise<void>((resolve) => this.#clock.after(rest, resolve));
      }
    }
    if (this.#left.delete(workspace)) workspace.dispose();
  }
}
