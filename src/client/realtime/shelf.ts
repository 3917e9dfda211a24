import type { TranscriptView } from "./contract.ts";
import { Following, Signal } from "./signal.ts";
import type { Workspace } from "./workspace.ts";

const settlePollMs = 5_000;

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

  /** Opens `next`. `keep`: what was open goes on until it is translated and saved. */
  replace(next: Workspace, keep: boolean): void {
    const before = this.current;
    before.abandon();
    this.#current.set(next);
    if (keep) void this.#finish(before);
    else before.dispose();
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
    await workspace.settled(settlePollMs);
    this.#left.delete(workspace);
    workspace.dispose();
  }
}
