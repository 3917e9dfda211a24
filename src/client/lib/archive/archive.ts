import { addToCrc32 } from "./crc32.ts";
import { type ArchiveEntry, ArchiveError, readDirectory, readEntryStart } from "./directory.ts";

/** Bytes that may come of each packed byte. Office files and JSON stay below 50; deflate reaches 1,032. */
const ratioMax = 100;
/** Bytes that the ratio leaves out: a short file of equal letters is no attack. */
const unpackedFreeBytes = 1024 * 1024;
/** Bytes that are read at a time of a file that is not packed. */
const storedBlockBytes = 256 * 1024;
/** Bytes that are unpacked at a time: the browser makes up to 4 MiB of them before it can be stopped. */
const packedBlockBytes = 4 * 1024;

export interface ArchiveBounds {
  /** Number of files. */
  entries: number;
  /** Of all files that are read, unpacked. */
  bytes: number;
}

/**
 * A ZIP of any size and any maker. Its directory is read first, then one file at a time, as a stream. What is counted is
 * what comes out, whatever the headers say. A file that is an archive itself stays packed.
 */
export class Archive {
  #packedBytes = 0;
  #unpackedBytes = 0;

  private constructor(
    private readonly zip: Blob,
    private readonly entries: Map<string, ArchiveEntry>,
    private readonly bounds: ArchiveBounds,
  ) {}

  /** @throws ArchiveError */
  static async open(zip: Blob, bounds: ArchiveBounds): Promise<Archive> {
    return new Archive(zip, await readDirectory(zip, bounds.entries), bounds);
  }

  /** Of the files that were not read. */
  get paths(): string[] {
    return [...this.entries.keys()];
  }

  /** Of all files that were read. */
  get unpackedBytes(): number {
    return this.#unpackedBytes;
  }

  has(path: string): boolean {
    return this.entries.has(path);
  }

  /**
   * The bytes of the file at `path`, which is read once. They are the file only when the last of them has come.
   *
   * @throws ArchiveError `unsafe` for more than `maxBytes` or the bounds
   */
  async *read(path: string, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const entry = this.entries.get(path);
    if (!entry) throw new ArchiveError("broken");
    this.entries.delete(path);
    if (entry.isEncrypted) throw new ArchiveError("encrypted");
    if (entry.bytes > maxBytes) throw new ArchiveError("unsafe");
    let bytes = 0;
    let checksum = 0;
    for await (const block of entry.isPacked ? this.#unpack(entry) : this.#readPacked(entry)) {
      bytes += block.byteLength;
      this.#unpackedBytes += block.byteLength;
      const allowedBytes = unpackedFreeBytes + ratioMax * this.#packedBytes;
      if (bytes > maxBytes || this.#unpackedBytes > Math.min(allowedBytes, this.bounds.bytes))
        throw new ArchiveError("unsafe");
      if (bytes > entry.bytes) throw new ArchiveError("broken");
      checksum = addToCrc32(checksum, block);
      yield block;
    }
    if (bytes !== entry.bytes || checksum !== entry.crc32) throw new ArchiveError("broken");
  }

  async *#readPacked({ offset, packedBytes }: ArchiveEntry) {
    const start = await readEntryStart(this.zip, offset);
    const end = start + packedBytes;
    for (let at = start; at < end; at += storedBlockBytes) {
      const block = this.zip.slice(at, Math.min(end, at + storedBlockBytes));
      const bytes = new Uint8Array(await block.arrayBuffer());
      this.#packedBytes += bytes.byteLength;
      yield bytes;
    }
  }

  async *#unpack(entry: ArchiveEntry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const packed = this.#splitPacked(entry);
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const { value, done } = await packed.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        yield value;
      }
    } catch (failure) {
      // Browsers say different things of damaged data.
      throw failure instanceof ArchiveError ? failure : new ArchiveError("broken");
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  async *#splitPacked(entry: ArchiveEntry) {
    for await (const block of this.#readPacked(entry))
      for (let at = 0; at < block.byteLength; at += packedBlockBytes)
        yield block.subarray(at, at + packedBlockBytes);
  }
}
