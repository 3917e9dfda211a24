import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB } from "idb";

/** A connection to an IndexedDB database of this device, which is opened when it is first needed. */
export class DatabaseConnection<Schema extends DBSchema> {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(
    private readonly name: string,
    private readonly version: number,
    private readonly upgrade: NonNullable<OpenDBCallbacks<Schema>["upgrade"]>,
  ) {}

  /** After a failure, or when the connection was closed, a new one is opened. Rejects where the browser stores nothing. */
  open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= openDB<Schema>(this.name, this.version, {
      upgrade: this.upgrade,
      // Another tab has a newer version of the program or deletes the database, or the browser has closed it.
      blocking: () => this.close(),
      terminated: () => this.close(),
    }).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  close(): void {
    this.#database?.then(
      (database) => database.close(),
      () => {},
    );
    this.#database = null;
  }
}
