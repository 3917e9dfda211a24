import {
  type ShareSnapshotItem,
  type StoredShare,
  storedShareSchema,
} from "#server/sharing/room/stored.ts";

const storageKey = "share";
const idKey = "id";

/** What a share keeps while it hibernates. Writes are not awaited: the runtime holds back messages until they are durable. */
export class ShareStorage {
  #isReady = false;

  constructor(private readonly storage: DurableObjectStorage) {}

  /** `shareId`: the object is named by it, which an alarm does not know. `stored`: null where nothing is stored. */
  async read(): Promise<{
    shareId: string;
    stored: { share: StoredShare; items: ShareSnapshotItem[] } | null;
  }> {
    const shareId = (await this.storage.get<string>(idKey)) ?? "";
    const share = storedShareSchema.safeParse(await this.storage.get(storageKey)).data;
    if (!share) return { shareId, stored: null };
    this.#prepare(shareId);
    const rows = this.storage.sql
      .exec<Record<keyof ShareSnapshotItem, string | number>>("select * from items")
      .toArray();
    return { shareId, stored: { share, items: rows as unknown as ShareSnapshotItem[] } };
  }

  write(shareId: string, share: StoredShare, items: readonly ShareSnapshotItem[]): void {
    this.#prepare(shareId);
    void this.storage.put(storageKey, share);
    for (const { position, language, seq, fingerprint } of items)
      this.storage.sql.exec(
        "insert or replace into items (position, language, seq, fingerprint) values (?, ?, ?, ?)",
        ...[position, language, seq, fingerprint],
      );
  }

  deleteLanguage(shareId: string, language: string): void {
    this.#prepare(shareId);
    this.storage.sql.exec("delete from items where language = ?", language);
  }

  setAlarm(shareId: string, at: number): void {
    this.#prepare(shareId);
    void this.storage.setAlarm(at);
  }

  deleteAll(): void {
    this.#isReady = false;
    void this.storage.deleteAll();
  }

  /** Before the first write; an object that stores nothing leaves nothing behind. */
  #prepare(shareId: string): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.storage.sql.exec(`create table if not exists items (
      position integer not null, language text not null, seq integer not null, fingerprint text not null,
      primary key (position, language)) without rowid`);
    void this.storage.put(idKey, shareId);
  }
}
