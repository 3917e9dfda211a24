// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import type { DBSchema } from "idb";
import { expect, it } from "vitest";
import { DatabaseConnection } from "#client/lib/database.ts";

interface Schema extends DBSchema {
  words: { key: string; value: string };
}

const connect = () =>
  new DatabaseConnection<Schema>("a database", 1, (database) => {
    database.createObjectStore("words");
  });

const tell = (name: "pagehide" | "pageshow", persisted: boolean) =>
  dispatchEvent(Object.assign(new Event(name), { persisted }));

it("lets other pages write while this one is hidden and kept, and goes on when it is shown", async () => {
  const connection = connect();
  const transaction = (await connection.open()).transaction("words", "readwrite");
  const endless = async () => {
    for (;;) await transaction.store.get("a");
  };
  const ended = Promise.allSettled([endless(), transaction.done]);
  tell("pagehide", false);
  await transaction.store.put("first", "a");

  tell("pagehide", true);
  // Another page has a database of its own.
  const reopened = connection.open();
  let isOpen = false;
  void reopened.then(() => {
    isOpen = true;
  });
  for (const result of await ended)
    expect(result).toMatchObject({ status: "rejected", reason: { name: "AbortError" } });
  const other = indexedDB.open("a database");
  await new Promise<void>((resolve) => {
    other.onsuccess = () => {
      const writing = other.result.transaction("words", "readwrite");
      writing.objectStore("words").put("second", "b");
      writing.oncomplete = () => resolve();
    };
  });
  expect(isOpen).toBe(false);

  tell("pageshow", true);
  expect(await (await reopened).getAll("words")).toEqual(["second"]);
  await (await reopened).put("words", "third", "c");
});

it("also ends what is going on beside a transaction that is being committed", async () => {
  const database = await connect().open();
  const committed = database.transaction("words", "readwrite");
  committed.commit();
  const { done } = database.transaction("words", "readonly");
  tell("pagehide", true);
  await expect(done).rejects.toMatchObject({ name: "AbortError" });
  await expect(committed.done).resolves.toBeUndefined();
  tell("pageshow", true);
});

it("opens a connection again after a failure", async () => {
  const newer = new DatabaseConnection<Schema>("another", 2, (database) => {
    database.createObjectStore("words");
  });
  const older = new DatabaseConnection<Schema>("another", 1, () => {});
  await newer.open();
  await expect(older.open()).rejects.toMatchObject({ name: "VersionError" });
  newer.close();
  await new Promise<void>((resolve) => {
    indexedDB.deleteDatabase("another").onsuccess = () => resolve();
  });
  await expect(older.open()).resolves.toMatchObject({ version: 1 });
});
