import type { TranscriptView } from "./contract.ts";
import { Following, Signal } from "./signal.ts";
import type { Workspace } from "./workspace.ts";

const settlePollMs = 5_000;

/** The last sound is still on its way to the room or its words on their way back. */
const draining = (workspace: Workspace) => workspace.connection === "draining";

/** The open lecture, and those that were left with something still to translate or save. */
export class Shelf {
  /** The transcript of whichever lecture is open. */
  readonly transcript: TranscriptView;
  readonly #current: Signal<Workspace>;
  readonly #left = new Set<Workspace>();

  constructor(first: Workspace) {
    const current = new Signal(first);
    this.#current = current;
    this.transcript = {
      blocks: new Following(current, (workspace) => workspace.transcript.store.blocks),
      live: new Following(current, (workspace) => workspace.transcript.store.live),
      wordCount: new Following(current, (workspace) => workspace.transcript.store.wordCount),
    };
  }

  get current(): Workspace {
    return this.#current.get();
  }

  /** Closing the page now would lose something of an open or left lecture. */
  get unsaved(): boolean {
    return this.#all.some((workspace) => workspace.unsaved);
  }

  /**
   * Opens `next`. What was open goes on until its rows are translated and saved (`rows`), its last
   * sound before that has words too (`sound`), or not at all (`nothing`).
   */
  replace(next: Workspace, keep: "nothing" | "rows" | "sound"): void {
    const before = this.current;
    if (keep !== "sound" || !draining(before)) before.abandon();
    this.#current.set(next);
    if (keep === "nothing") before.dispose();
    else void this.#finish(before);
  }

  /**
   * Ends what still goes on of a left lecture, so that it can be opened anew: what the server has is
   * then all that there is, but for sound in the spool. False when that does not succeed within `timeoutMs`.
   */
  async end(recordingId: string, timeoutMs: number): Promise<boolean> {
    for (const workspace of [...this.#left]) {
      if (workspace.recordingId !== recordingId) continue;
      if (draining(workspace)) await workspace.finish(timeoutMs);
      // Its rows would otherwise be missing in the server's copy, or its sound come to nothing.
      if (draining(workspace) || !(await workspace.flush(timeoutMs))) return false;
      this.#left.delete(workspace);
      workspace.dispose();
    }
    return true;
  }

  /** The network may be back. */
  wake(): void {
    for (const workspace of this.#all) workspace.wake();
  }

  /** Saves everything now. */
  flush(timeoutMs: number): void {
    for (const workspace of this.#all) void workspace.flush(timeoutMs);
  }

  dispose(): void {
    for (const workspace of this.#all) workspace.dispose();
    this.#left.clear();
  }

  get #all(): Workspace[] {
    return [this.current, ...this.#left];
  }

  async #finish(workspace: Workspace): Promise<void> {
    this.#left.add(workspace);
    do {
      if (draining(workspace)) await workspace.finish(settlePollMs);
      await workspace.settled(settlePollMs);
    } while (draining(workspace));
    this.#left.delete(workspace);
    workspace.dispose();
  }
}
