import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB, unwrap } from "idb";

/** Transactions that have not ended. */
const openTransactions = new Set<IDBTransaction>();
/** Fulfilled when the page is shown again that the browser keeps to go back to; null: the page is no such one. */
let whenShown: Promise<void> | null = null;

/**
 * A page that the browser keeps does not run: its transactions would never end, and other pages that open or write the
 * same database would wait for them. Some browsers keep such a page.
 */
function followPage(): void {
  if (typeof addEventListener !== "function") return;
  addEventListener("pagehide", ({ persisted }) => {
    if (!persisted) return;
    whenShown = new Promise((resolve) => {
      addEventListener("pageshow", () => resolve(), { once: true });
    });
    void whenShown.then(() => {
      whenShown = null;
    });
    for (const transaction of openTransactions) abort(transaction);
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is being committed, or has ended and has not said so yet.
  }
}

followPage();

/** Keeps `openTransactions` for one database. */
function watchTransactions(database: IDBDatabase): void {
  const begin = database.transaction.bind(database);
  database.transaction = (...args) => {
    const transaction = begin(...args);
    openTransactions.add(transaction);
    for (const end of ["complete", "abort"])
      transaction.addEventListener(end, () => openTransactions.delete(transaction));
    return transaction;
  };
}

/** A connection to an IndexedDB database of this device, which is opened when it is first needed. */
export class DatabaseConnection<Schema extends DBSchema> {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(
    private readonly name: string,
    private readonly version: number,
    private readonly upgrade: NonNullable<OpenDBCallbacks<Schema>["upgrade"]>,
  ) {}

  /**
   * After a failure, or when the connection was closed, a new one is opened. Rejects where the browser stores nothing. Call
   * it before each transaction: it waits while the page is hidden and kept.
   */
  async open(): Promise<IDBPDatabase<Schema>> {
    while (whenShown !== null) await whenShown;
    this.#database ??= this.#connect();
    return this.#database;
  }

  #connect(): Promise<IDBPDatabase<Schema>> {
    const opening = openDB<Schema>(this.name, this.version, {
      upgrade: this.upgrade,
      // Another tab has a newer version of the program or deletes the database, or the browser has closed it.
      blocking: () => this.close(),
      terminated: () => this.close(),
    }).then((database) => {
      watchTransactions(unwrap(database));
      return database;
    });
    opening.catch(() => {
      this.#database = null;
    });
    return opening;
  }

  close(): void {
    this.#database?.then(
      (database) => database.close(),
      () => {},
    );
    this.#database = null;
  }
}
