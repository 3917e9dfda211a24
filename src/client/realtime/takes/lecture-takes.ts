import type { Clock, Log } from "#client/realtime/platform/ports.ts";
import type { RelayEnd } from "#client/realtime/relay/relay-end.ts";
import type { LivePath } from "#client/realtime/session-ports.ts";
import type { ConnectionState } from "#client/realtime/types.ts";
import type { RelayTokens } from "#shared/relay.ts";
import type { Take } from "./take.ts";
import { chunkMs, chunksToSeconds, getSavedWordsEndMs } from "./take-clock.ts";
import type { StoredTake } from "./take-storage.ts";
import type { TakeSettings, TakeUploader, UploaderDeps } from "./take-uploader.ts";

type Deps = Omit<UploaderDeps, "settings" | "onTokens"> & {
  clock: Clock;
  log: Log;
  lectureId: string;
  /** A guest's sound is kept in memory alone: the rows that it could complete die with the page. */
  isStored: boolean;
  settings(): TakeSettings;
  /** End of the words on the page, ms on the lecture's clock. */
  wordsEndMs(): number;
  /** See `UploaderDeps`. */
  onTokens(batch: RelayTokens, heldToMs: number): void;
  /** The words to come lie elsewhere on the lecture's clock than those before: they begin a sentence. */
  onDiscontinuity(): void;
  /** Claims a take for this tab among the tabs of this browser; null while another tab has it. */
  claim(takeId: string): Promise<(() => void) | null>;
  /** So many seconds of sound are missing for good. */
  onMissing(seconds: number): void;
};

/** The takes of one open lecture that are not all saved words, and their uploader. */
export class LectureTakes {
  readonly #deps: Deps;
  /** Takes whose words are not all saved. */
  #takes: Take[] = [];
  readonly #claims = new Map<Take, () => void>();
  #uploader: TakeUploader | null = null;
  /** As `clockEndMs`, of what is saved or was recorded before. */
  #endMs: number;
  #currentTake: Take | null = null;
  /** The take whose words came last, and where it lay. */
  #lastSource: { take: Take; offsetMs: number | null } | null = null;
  /** Why the room takes nothing more; null: it does, as far as is known. */
  #end: RelayEnd | null = null;
  readonly #completionListeners = new Set<(isComplete: boolean) => void>();

  /** `endMs`: where the lecture's clock ended when it was opened, as far as is known, ms. */
  constructor(deps: Deps, endMs: number) {
    this.#deps = deps;
    this.#endMs = endMs;
  }

  get connection(): ConnectionState {
    return this.#uploader?.state ?? "idle";
  }
  /** Length of the sound that the room has not acknowledged, ms. */
  get unsentMs(): number {
    return this.#takes.reduce((sum, take) => sum + take.unsentMs, 0);
  }
  /** The room has refused for good; what is unsent waits for `start`. */
  get end(): RelayEnd | null {
    return this.#end;
  }
  /** Closing the tab now would lose captured sound. */
  get hasUnpersistedAudio(): boolean {
    return this.#takes.some((take) => take.hasUnpersistedAudio);
  }
  get storageState(): Take["storageState"] {
    const states = this.#takes.map((take) => take.storageState);
    if (states.includes("memoryFull")) return "memoryFull";
    return states.includes("full") ? "full" : "ok";
  }
  /** Where the lecture's clock ends, ms, with the sound that the room has not placed yet. */
  get clockEndMs(): number {
    return this.#takes.reduce((end, { offsetMs, nextSeq }) => {
      const lengthMs = nextSeq * chunkMs;
      return offsetMs === null ? end + lengthMs : Math.max(end, offsetMs + lengthMs);
    }, this.#endMs);
  }

  /** Begins the take whose chunks `append` will get. */
  async startTake(live: LivePath): Promise<void> {
    this.#currentTake = await this.#addTake(live, live.newTake(this.#deps.lectureId));
  }

  append(data: Uint8Array<ArrayBuffer>): void {
    this.#currentTake?.append(data);
    this.#uploader?.sendChunks();
  }

  /** Words up to `ms` on the lecture's clock are on the page. */
  updateHeldMs(ms: number): void {
    this.#lastSource?.take.updateHeldMs(ms);
  }

  endTake(): void {
    this.#currentTake?.end();
    this.#currentTake = null;
  }

  /** As `endCurrent`, and forgets what was captured. */
  discardTake(): void {
    const take = this.#currentTake;
    this.#currentTake = null;
    if (take === null) return;
    take.remove();
    this.#releaseTakes([take]);
  }

  /**
   * Takes over what tabs that are gone have left; `rows`: those that are saved.
   *
   * @returns length of the sound without words, ms.
   */
  async adopt(
    live: LivePath,
    stored: readonly StoredTake[],
    rows: readonly { startMs: number; endMs: number }[],
  ): Promise<number> {
    let unheardMs = 0;
    for (const take of stored) {
      if (this.#takes.some(({ id }) => id === take.id)) continue;
      const heldMs = getSavedWordsEndMs(take, rows);
      const adopted = await this.#addTake(live, take, { heldMs });
      unheardMs += adopted?.untranscribedMs ?? 0;
    }
    return unheardMs;
  }

  /** Connects and sends. `takesOver`: another tab or device that records this lecture gives way. */
  start(takesOver: boolean): void {
    this.#end = null;
    this.#uploader?.start(takesOver);
  }

  /** True when everything is acknowledged, false after `timeout`; sending then goes on. */
  async completeUpload(timeout: Promise<void>): Promise<boolean> {
    if (this.#end !== null) return false;
    if (this.#uploader === null) return true;
    const completed = new Promise<boolean>((resolve) => {
      const done = (isComplete: boolean) => {
        this.#completionListeners.delete(done);
        resolve(isComplete);
      };
      this.#completionListeners.add(done);
      void timeout.then(() => done(false));
    });
    this.#uploader.start(false);
    return completed;
  }

  /** The network or the person is back: a retry that waits happens now. */
  wake(): void {
    if (this.#end?.kind === "takenOver" && this.unsentMs > 0) this.start(false);
    this.#uploader?.retryNow();
  }

  /** Closes at once. What is unsent stays in its takes. */
  close(): void {
    this.endTake();
    this.#uploader?.close();
    this.#notifyCompletion(false);
  }

  /** Lets the storage forget what is saved. `unsavedMs`: see `Take.release`. */
  release(unsavedMs: number | null): void {
    for (const take of this.#takes) take.release(unsavedMs);
    this.#dropTakes(this.#takes.filter((take) => take.isRemoved));
  }

  /** Lets go of every take, stored ones for another visit. */
  dispose(): void {
    this.close();
    this.#dropTakes([...this.#takes]);
  }

  /** Removes every take: the sound is not wanted any more. */
  discard(): void {
    this.close();
    for (const take of this.#takes) take.remove();
    this.#dropTakes([...this.#takes]);
  }

  /**
   * Hands every take over to another lecture, as whose words its sound is wanted.
   *
   * @returns length of the sound without words, ms.
   */
  moveTo(other: LectureTakes, live: LivePath): number {
    this.close();
    const unheardMs = this.#takes.reduce((sum, take) => sum + take.untranscribedMs, 0);
    for (const take of this.#takes) {
      take.moveTo(other.#deps.lectureId);
      other.#attachTake(live, take);
      const release = this.#claims.get(take);
      if (release) other.#claims.set(take, release);
    }
    this.#takes = [];
    this.#claims.clear();
    return unheardMs;
  }

  async #addTake(
    live: LivePath,
    record: StoredTake,
    stored?: { heldMs: number },
  ): Promise<Take | null> {
    const { claim, isStored, log, onMissing, onProgress } = this.#deps;
    const release = await claim(record.id);
    if (release === null) return null;
    const take = live.openTake(
      {
        storage: isStored ? live.storage : null,
        log,
        onLoaded: () => this.#uploader?.sendChunks(),
        onStorageState: onProgress,
        onMissing: (chunks) => onMissing(chunksToSeconds(chunks)),
      },
      record,
      stored,
    );
    this.#claims.set(take, release);
    this.#attachTake(live, take);
    return take;
  }

  #attachTake(live: LivePath, take: Take): void {
    this.#takes.push(take);
    this.#uploader ??= live.createUploader({
      ...this.#deps,
      settings: () => ({ ...this.#deps.settings(), lectureEndMs: this.#deps.wordsEndMs() }),
      onTokens: (batch, take, heldToMs) => {
        const { offsetMs } = take;
        if (this.#lastSource?.take !== take || this.#lastSource.offsetMs !== offsetMs) {
          this.#deps.onDiscontinuity();
          this.#lastSource = { take, offsetMs };
        }
        this.#deps.onTokens(batch, heldToMs);
      },
      onComplete: () => {
        this.#deps.onComplete();
        this.#notifyCompletion(true);
      },
      onEnd: (end) => {
        this.#end = end;
        this.#deps.onEnd(end);
        this.#notifyCompletion(false);
      },
    });
    this.#uploader.add(take);
  }

  #dropTakes(takes: readonly Take[]): void {
    if (takes.length === 0) return;
    this.#endMs = this.clockEndMs;
    this.#releaseTakes(takes);
  }

  #releaseTakes(takes: readonly Take[]): void {
    for (const take of takes) {
      this.#claims.get(take)?.();
      this.#claims.delete(take);
    }
    this.#takes = this.#takes.filter((take) => !takes.includes(take));
  }

  #notifyCompletion(isComplete: boolean): void {
    for (const done of [...this.#completionListeners]) done(isComplete);
  }
}
