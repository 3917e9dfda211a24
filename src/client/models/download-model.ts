import { FileHash } from "./file-hash.ts";
import { createGet, type Get, readFile } from "./file-source.ts";
import { fetchManifest, type ManifestFile } from "./manifest.ts";
import { ModelError, toModelError } from "./model-error.ts";
import type { DeviceModel, ModelSource } from "./model-source.ts";

/** Downloads a model into a target, continuing what is there. Decides which bytes are right; stores none itself. */

/** Where the files of one model are written to. One download at a time. */
export interface ModelTarget {
  /** Keeps what is stored of `files` and deletes the rest. Returns the stored bytes of each file by its path. */
  begin(files: readonly ManifestFile[]): Promise<ReadonlyMap<string, StoredFile>>;
  /** The stored bytes of a file, in order. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Adds `chunks` at the end of a file. */
  append(path: string, chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<void>;
  /** The file is whole and its hash is right. */
  confirm(path: string, sha256: string): Promise<void>;
  /** Deletes what is stored of one file. */
  clear(path: string): Promise<void>;
  /** All files are confirmed: the model can be used. */
  finish(): Promise<void>;
  /** Deletes all. */
  discard(): Promise<void>;
}

export interface StoredFile {
  bytes: number;
  isConfirmed: boolean;
}

export interface DownloadOptions {
  source: ModelSource;
  /** What the person agreed to, bytes; the files may be larger by a twentieth. */
  agreedBytes: number;
  fetch(url: string, init: RequestInit): Promise<Response>;
  signal: AbortSignal;
  /** Free bytes where the target stores; null: not known. */
  getFreeBytes(): Promise<number | null>;
  onProgress(loadedBytes: number, totalBytes: number): void;
}

/** What arrives is written in parts of about this length, so that a download can continue after a reload. */
const partBytes = 4 * 1024 * 1024;

/**
 * Downloads what is missing of the model's files, and checks length and hash of each.
 *
 * @throws ModelError; an AbortError when `signal` aborts. What has arrived is kept, except for a wrong file and where
 *   the storage is full.
 */
export async function downloadModel(
  model: DeviceModel,
  target: ModelTarget,
  options: DownloadOptions,
): Promise<void> {
  const { source, agreedBytes, signal } = options;
  const get = createGet(options.fetch, signal);
  const files = await fetchManifest(model, source, get);
  const totalBytes = sum(files);
  if (totalBytes > agreedBytes * 1.05)
    throw new ModelError("larger", `${totalBytes} bytes, not ${agreedBytes}`, { totalBytes });
  try {
    const stored = await target.begin(files);
    let loadedBytes = sum([...stored.values()]);
    const freeBytes = await options.getFreeBytes();
    if (freeBytes !== null && freeBytes < totalBytes - loadedBytes)
      throw new ModelError("full", `${freeBytes} bytes are free`, { totalBytes });
    const onBytes = (bytes: number) => {
      loadedBytes += bytes;
      options.onProgress(loadedBytes, totalBytes);
    };
    onBytes(0);
    for (const file of files) {
      const { bytes, isConfirmed } = stored.get(file.path) ?? { bytes: 0, isConfirmed: false };
      if (!isConfirmed) await downloadFile(model, file, bytes, { target, source, get, onBytes });
      signal.throwIfAborted();
    }
    await target.finish();
  } catch (cause) {
    signal.throwIfAborted();
    const error = toModelError(cause, totalBytes);
    // Half a model must not take the room that recorded sound needs.
    if (error.reason === "full") await target.discard().catch(() => {});
    throw error;
  }
}

const sum = (files: readonly { bytes: number }[]) =>
  files.reduce((total, { bytes }) => total + bytes, 0);

interface FileOptions {
  target: ModelTarget;
  source: ModelSource;
  get: Get;
  /** How many bytes have arrived; negative: that many were deleted. */
  onBytes(bytes: number): void;
}

async function downloadFile(
  model: DeviceModel,
  file: ManifestFile,
  storedBytes: number,
  { target, source, get, onBytes }: FileOptions,
): Promise<void> {
  const { path, bytes } = file;
  const hash = new FileHash(file);
  if (storedBytes > 0) for await (const chunk of target.read(path)) hash.update(chunk);
  let loaded = storedBytes;
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let waitingBytes = 0;
  const write = async () => {
    const chunks = waiting;
    waiting = [];
    waitingBytes = 0;
    if (chunks.length > 0) await target.append(path, chunks);
  };
  try {
    for await (const chunk of readFile(model, file, storedBytes, source, get)) {
      hash.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      loaded += chunk.length;
      onBytes(chunk.length);
      if (waitingBytes >= partBytes && loaded < bytes) await write();
    }
    const sha256 = hash.finish();
    if (sha256 === null) throw new ModelError("wrong", `${path} has another hash than stated`);
    await write();
    await target.confirm(path, sha256);
  } catch (error) {
    const isWrong = error instanceof ModelError && error.reason === "wrong";
    if (isWrong) {
      await target.clear(path);
      onBytes(-loaded);
    }
    // Servers may compress small files, whose rest cannot be requested then.
    else if (bytes > partBytes) await write();
    else onBytes(storedBytes - loaded);
    throw error;
  }
}
