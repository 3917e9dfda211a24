import { type DBSchema, deleteDB } from "idb";
import { DatabaseConnection } from "#client/lib/database.ts";
import { lectureDatabase } from "#client/state/visitor.ts";
import type { LectureListItem } from "#shared/lecture.ts";

/**
 * Lectures that were opened, and lists, on this device (IndexedDB), to be read without a network: copies of what the
 * server has. All of it belongs to one user. Another user's claim deletes it, and what is written or read for anybody
 * but the owner is refused.
 */

export interface StoredEntry {
  /** Identifies the query. */
  key: string;
  /** As lists show it; null: the entry is a list. */
  lecture: LectureListItem | null;
  /** Of the stored text, in UTF-8. */
  bytes: number;
  /** When the server gave it, and when it was last opened; ms since the epoch. */
  storedAt: number;
  usedAt: number;
}

interface Schema extends DBSchema {
  owner: { key: string; value: string };
  entries: { key: string; value: StoredEntry };
  /** JSON, by the entry's key. */
  texts: { key: string; value: string };
}

const stores = ["owner", "entries", "texts"] as const;
const ownerKey = "userId";

export interface Bounds {
  count: number;
  bytes: number;
}

const lectureBounds: Bounds = { count: 200, bytes: 50_000_000 };
const listBounds: Bounds = { count: 50, bytes: 5_000_000 };

/** The entries that have to go so that the others are within `bounds`: those that were not opened for longest. */
export function selectOutdated<Entry extends Pick<StoredEntry, "bytes" | "usedAt">>(
  entries: readonly Entry[],
  bounds: Bounds,
): Entry[] {
  let bytes = 0;
  const newestFirst = entries.toSorted((a, b) => b.usedAt - a.usedAt);
  const kept = newestFirst.findIndex((entry, index) => {
    bytes += entry.bytes;
    return index >= bounds.count || bytes > bounds.bytes;
  });
  return kept === -1 ? [] : newestFirst.slice(kept);
}

/** @throws when another page holds the store open, and does not let go of it. */
export const deleteStoredLectures = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const blocked = () => reject(new Error("the stored lectures are in use"));
    deleteDB(lectureDatabase, { blocked }).then(resolve, reject);
  });

const isLecture = ({ lecture }: StoredEntry) => lecture !== null;

/** Every method rejects where the browser stores nothing, or nothing more. */
export class LectureStore {
  readonly #connection = new DatabaseConnection<Schema>(lectureDatabase, 1, (database) => {
    for (const name of ["owner", "texts"] as const) database.createObjectStore(name);
    database.createObjectStore("entries", { keyPath: "key" });
  });

  constructor(
    private readonly now: () => number = Date.now,
    private readonly bounds = { lectures: lectureBounds, lists: listBounds },
  ) {}

  /** From now on it belongs to `userId`. What belonged to somebody else is deleted. */
  async claim(userId: string): Promise<void> {
    const transaction = (await this.#connection.open()).transaction(stores, "readwrite");
    const claim = async () => {
      const owner = transaction.objectStore("owner");
      if ((await owner.get(ownerKey)) === userId) return;
      await Promise.all(stores.map((name) => transaction.objectStore(name).clear()));
      await owner.put(userId, ownerKey);
    };
    await Promise.all([claim(), transaction.done]);
  }

  /** The entries of `userId`; none if the store is somebody else's. */
  async list(userId: string): Promise<StoredEntry[]> {
    const transaction = (await this.#connection.open()).transaction(["owner", "entries"]);
    if ((await transaction.objectStore("owner").get(ownerKey)) !== userId) return [];
    return transaction.objectStore("entries").getAll();
  }

  /** What is stored under `key` for `userId`, not parsed; null if nothing is. It counts as opened now. */
  async read(userId: string, key: string): Promise<{ text: string; storedAt: number } | null> {
    const transaction = (await this.#connection.open()).transaction(stores);
    if ((await transaction.objectStore("owner").get(ownerKey)) !== userId) return null;
    const [entry, text] = await Promise.all([
      transaction.objectStore("entries").get(key),
      transaction.objectStore("texts").get(key),
    ]);
    if (entry === undefined || text === undefined) return null;
    // Without space to note it, it can still be read.
    await this.#touch(userId, key).catch(() => {});
    return { text, storedAt: entry.storedAt };
  }

  /**
   * Stores `text` under `key`, in place of what is there, and deletes what is out of bounds. Nothing happens if the
   * store is not `userId`'s.
   *
   * @returns what is deleted.
   */
  async write(
    userId: string,
    {
      key,
      lecture,
      text,
      storedAt,
    }: Pick<StoredEntry, "key" | "lecture" | "storedAt"> & {
      text: string;
    },
  ): Promise<StoredEntry[]> {
    const bytes = new TextEncoder().encode(text).length;
    const transaction = (await this.#connection.open()).transaction(stores, "readwrite");
    const [entries, texts] = [transaction.objectStore("entries"), transaction.objectStore("texts")];
    const write = async (): Promise<StoredEntry[]> => {
      if ((await transaction.objectStore("owner").get(ownerKey)) !== userId) return [];
      const others = (await entries.getAll()).filter((entry) => entry.key !== key);
      const entry = { key, lecture, bytes, storedAt, usedAt: this.now() };
      const all = [entry, ...others];
      const { lectures, lists } = this.bounds;
      const outdated = [
        ...selectOutdated(all.filter(isLecture), lectures),
        ...selectOutdated(
          all.filter((one) => !isLecture(one)),
          lists,
        ),
      ];
      await Promise.all([entries.put(entry), texts.put(text, key)]);
      await Promise.all(
        outdated.flatMap((old) => [entries.delete(old.key), texts.delete(old.key)]),
      );
      return outdated;
    };
    const [outdated] = await Promise.all([write(), transaction.done]);
    return outdated;
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const transaction = (await this.#connection.open()).transaction(
      ["entries", "texts"],
      "readwrite",
    );
    await Promise.all([
      ...keys.map((key) => transaction.objectStore("entries").delete(key)),
      ...keys.map((key) => transaction.objectStore("texts").delete(key)),
      transaction.done,
    ]);
  }

  /** The next call opens the store again. */
  close(): void {
    this.#connection.close();
  }

  async #touch(userId: string, key: string): Promise<void> {
    const transaction = (await this.#connection.open()).transaction(
      ["owner", "entries"],
      "readwrite",
    );
    const touch = async () => {
      if ((await transaction.objectStore("owner").get(ownerKey)) !== userId) return;
      const entry = await transaction.objectStore("entries").get(key);
      if (entry) await transaction.objectStore("entries").put({ ...entry, usedAt: this.now() });
    };
    await Promise.all([touch(), transaction.done]);
  }
}
