import type { DBSchema } from "idb";
import { DatabaseConnection } from "#client/lib/database.ts";
import type { ModelContents } from "#client/recognition/device/speech-model-messages.ts";
import type { ModelTarget, StoredFile } from "./download-model.ts";
import type { ManifestFile } from "./manifest.ts";

/**
 * The models on this device, in IndexedDB, for the page and for workers. The bytes are Blobs of some megabytes, which
 * the browser keeps on disk: to read a file puts them together without copying them.
 */

const databaseName = "dualect-models";

interface FileRecord extends Pick<ManifestFile, "path" | "bytes" | "hash"> {
  /** Of the whole file, once it is there and right. */
  sha256: string | null;
}

interface ModelRecord {
  id: string;
  files: FileRecord[];
  /** Null: the download has not finished. */
  storedAt: number | null;
}

interface PartRecord {
  modelId: string;
  path: string;
  index: number;
  bytes: number;
  data: Blob;
}

interface Schema extends DBSchema {
  models: { key: string; value: ModelRecord };
  parts: { key: [string, string, number]; value: PartRecord };
}

/** What is stored of a model. */
export interface StoredModel {
  id: string;
  bytes: number;
  /** All files are there and were right. */
  isComplete: boolean;
}

const partsOf = (modelId: string, path?: string) =>
  path === undefined
    ? IDBKeyRange.bound([modelId], [modelId, []])
    : IDBKeyRange.bound([modelId, path, 0], [modelId, path, Number.MAX_SAFE_INTEGER]);

const sumBytes = (parts: readonly { bytes: number }[]) =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

const isSameFile = (a: FileRecord, b: ManifestFile) =>
  a.path === b.path && a.bytes === b.bytes && a.hash.value === b.hash.value;

/** Every method may reject where the browser stores nothing. */
export class ModelStore {
  readonly #connection = new DatabaseConnection<Schema>(databaseName, 1, (database) => {
    database.createObjectStore("models", { keyPath: "id" });
    database.createObjectStore("parts", { keyPath: ["modelId", "path", "index"] });
  });

  constructor(private readonly now: () => number = Date.now) {}

  async list(): Promise<StoredModel[]> {
    const database = await this.#connection.open();
    const models = await database.getAll("models");
    return Promise.all(
      models.map(async ({ id, files, storedAt }) => {
        const parts = await database.getAll("parts", partsOf(id));
        const bytes = sumBytes(parts);
        return { id, bytes, isComplete: storedAt !== null && bytes === sumBytes(files) };
      }),
    );
  }

  /** The files of a complete model; null if it is not complete. */
  async readFiles(id: string): Promise<ModelContents | null> {
    const database = await this.#connection.open();
    const model = await database.get("models", id);
    if (!model || model.storedAt === null) return null;
    const contents = new Map<string, Blob>();
    for (const { path, bytes } of model.files) {
      const parts = await database.getAll("parts", partsOf(id, path));
      const blob = new Blob(parts.map(({ data }) => data));
      if (blob.size !== bytes) return null;
      contents.set(path, blob);
    }
    return contents;
  }

  /** Only deletions, which succeed even when the disk is full. */
  async remove(id: string): Promise<void> {
    const database = await this.#connection.open();
    const transaction = database.transaction(["models", "parts"], "readwrite");
    await Promise.all([
      transaction.objectStore("models").delete(id),
      transaction.objectStore("parts").delete(partsOf(id)),
      transaction.done,
    ]);
  }

  /** For a download of the model. Nobody else may write to the model meanwhile. */
  openTarget(id: string): ModelTarget {
    return {
      begin: (files) => this.#begin(id, files),
      read: (path) => this.#read(id, path),
      append: (path, chunks) => this.#append(id, path, new Blob([...chunks])),
      confirm: (path, sha256) =>
        this.#change(id, (model) => {
          for (const file of model.files) if (file.path === path) file.sha256 = sha256;
        }),
      clear: async (path) => {
        await (await this.#connection.open()).delete("parts", partsOf(id, path));
      },
      finish: () =>
        this.#change(id, (model) => {
          model.storedAt = this.now();
        }),
      discard: () => this.remove(id),
    };
  }

  async #begin(
    id: string,
    files: readonly ManifestFile[],
  ): Promise<ReadonlyMap<string, StoredFile>> {
    const transaction = (await this.#connection.open()).transaction(
      ["models", "parts"],
      "readwrite",
    );
    const parts = transaction.objectStore("parts");
    const before = (await transaction.objectStore("models").get(id))?.files ?? [];
    const kept = files.map((file): FileRecord => {
      const { path, bytes, hash } = file;
      return before.find((old) => isSameFile(old, file)) ?? { path, bytes, hash, sha256: null };
    });
    const removed = before.filter((file) => !kept.includes(file));
    await Promise.all([
      transaction.objectStore("models").put({ id, files: kept, storedAt: null }),
      ...removed.map(({ path }) => parts.delete(partsOf(id, path))),
    ]);
    const stored = new Map<string, StoredFile>();
    for (const { path, bytes, sha256 } of kept) {
      const found = await parts.getAll(partsOf(id, path));
      const storedBytes = sumBytes(found);
      const isConfirmed = sha256 !== null && storedBytes === bytes;
      stored.set(path, { bytes: storedBytes, isConfirmed });
    }
    await transaction.done;
    return stored;
  }

  async *#read(id: string, path: string): AsyncGenerator<Uint8Array> {
    const parts = await (await this.#connection.open()).getAll("parts", partsOf(id, path));
    for (const { data } of parts) yield new Uint8Array(await data.arrayBuffer());
  }

  async #append(modelId: string, path: string, data: Blob): Promise<void> {
    const database = await this.#connection.open();
    const index = await database.count("parts", partsOf(modelId, path));
    await database.put("parts", { modelId, path, index, bytes: data.size, data });
  }

  async #change(id: string, change: (model: ModelRecord) => void): Promise<void> {
    const transaction = (await this.#connection.open()).transaction("models", "readwrite");
    const model = await transaction.store.get(id);
    if (!model) throw new Error("the model was deleted");
    change(model);
    await transaction.store.put(model);
    await transaction.done;
  }
}
