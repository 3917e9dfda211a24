import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import type { LectureTakes } from "./lecture-takes.ts";

/** Time limit for reading stored takes. */
const readTimeoutMs = 5_000;

interface Deps {
  ports: { clock: Clock; log: Log; loadLivePath(): Promise<LivePath> };
  lectureId: string;
  /** Whose takes they are; null: nothing is stored. */
  userId: string | null;
  takes: LectureTakes;
  rows(): readonly TranscriptRow[];
  isDisposed(): boolean;
  /** The takes were found. */
  onAdopted(): void;
  notify(notice: SessionNotice): void;
}

/** Finds the takes of one lecture that closed tabs have left, and tells when their sound has words. */
export class TakeAdoption {
  /** The search, while it runs. */
  #search: Promise<void> | null = null;
  #isDue = false;
  /** Length of found audio that is being transcribed, and the number of rows before it. */
  #recovery: { seconds: number; rows: number } | null = null;

  constructor(private readonly deps: Deps) {}

  /** The last search has failed. */
  get isDue(): boolean {
    return this.#isDue;
  }
  /** Found audio is being transcribed. */
  get isRecovering(): boolean {
    return this.#recovery !== null;
  }

  /** Resolves when no search runs. */
  async whenIdle(): Promise<void> {
    await this.#search;
  }

  /** Takes over what closed tabs have left. Sets `isDue` if that fails. */
  adopt(): Promise<void> {
    this.#search ??= this.#findTakes().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** `untranscribedMs`: length of audio without words that has come to the lecture. */
  track(untranscribedMs: number): void {
    if (untranscribedMs <= 0) return;
    const rows = this.deps.rows().length;
    this.#recovery = { seconds: Math.ceil(untranscribedMs / 1_000), rows };
  }

  /** Rows of another tab or device came to the lecture. */
  onRowsAdded(count: number): void {
    if (this.#recovery !== null) this.#recovery.rows += count;
  }

  /** All sound is recognised. */
  onComplete(): void {
    const recovery = this.#recovery;
    this.#recovery = null;
    if (recovery !== null && this.deps.rows().length > recovery.rows)
      this.deps.notify({ kind: "soundRecovered", seconds: recovery.seconds });
  }

  async #findTakes(): Promise<void> {
    const { ports, userId, lectureId, takes, rows, notify } = this.deps;
    if (userId === null) return;
    this.#isDue = false;
    const live = await ports.loadLivePath().catch(() => null);
    if (live === null) {
      this.#isDue = true;
      return;
    }
    try {
      const storage = live.openStorage(userId);
      const list = async () => (await storage?.list(lectureId)) ?? [];
      const stored = await withTimeout(ports.clock, readTimeoutMs, list);
      if (this.deps.isDisposed()) return;
      const untranscribedMs = await takes.adopt(live, stored, rows());
      // The person waits for the words of a file.
      if (stored.some(({ file }) => file === null)) this.track(untranscribedMs);
      this.deps.onAdopted();
    } catch {
      this.#isDue = true;
      ports.log.warn("stored takes not read");
      notify({ kind: "soundUnreadable" });
    }
  }
}
