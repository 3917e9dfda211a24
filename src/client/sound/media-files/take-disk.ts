import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { DiskCopy } from "#client/sound/takes/disk-copy.ts";
import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks that may wait for the disk: about 8 s. */
const waitingChunksMax = 32;

interface Deps {
  storage: TakeStorage;
  clock: Clock;
  log: Log;
}

/** Stores the chunks of a take that nothing sends meanwhile. */
export class TakeDisk {
  readonly #disk: DiskCopy;
  #record: StoredTake;

  /** `isStored`: the take is on disk already, up to `take.nextSeq`. */
  constructor(deps: Deps, take: StoredTake, isStored: boolean) {
    this.#record = take;
    const copyDeps = {
      storage: deps.storage,
      clock: deps.clock,
      log: deps.log,
      getRecord: () => this.#record,
      stopKeeping: () => {
        this.#record = { ...this.#record, isKept: false };
      },
      onWritten() {},
      onKeptRemoved() {},
      onFailed() {},
    };
    this.#disk = new DiskCopy(copyDeps, isStored);
  }

  get take(): StoredTake {
    return this.#record;
  }
  /** The disk refuses chunks. */
  get hasFailed(): boolean {
    return this.#disk.hasFailed;
  }

  append(data: Bytes, level: number): void {
    const seq = this.#record.nextSeq;
    this.#record = { ...this.#record, nextSeq: seq + 1 };
    this.#disk.append({ seq, data, level });
  }

  change(change: Partial<StoredTake>): void {
    this.#record = { ...this.#record, ...change };
    this.#disk.update();
  }

  /** Resolves when few chunks wait for the disk. */
  async whenReady(): Promise<void> {
    const { storedUntil } = this.#disk;
    if (storedUntil !== null && this.#record.nextSeq - storedUntil < waitingChunksMax) return;
    await this.#disk.whenWritten();
  }

  /** Resolves when everything is stored, or the disk has refused it. */
  whenWritten(): Promise<void> {
    return this.#disk.whenWritten();
  }
}
