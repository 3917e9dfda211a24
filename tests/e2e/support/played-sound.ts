import type { Page } from "@playwright/test";
import { recognise } from "#tests/unit/local/soniox/recognise.ts";

/**
 * Records what the audio elements of `page` play, beginning with the next page that it opens.
 *
 * @returns reads the words of the test pattern that were played since the last call.
 */
export async function listenToSound(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const blocks: number[][] = [];
    const heard = new WeakSet<HTMLMediaElement>();
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (!heard.has(this)) {
        heard.add(this);
        const context = new AudioContext({ sampleRate: 16_000 });
        const recorder = context.createScriptProcessor(8_192, 1, 1);
        recorder.onaudioprocess = ({ inputBuffer }) =>
          blocks.push([...inputBuffer.getChannelData(0)]);
        context.createMediaElementSource(this).connect(recorder).connect(context.destination);
      }
      return play.call(this);
    };
    Object.assign(window, { takePlayedSound: () => blocks.splice(0).flat() });
  });
  return async () => {
    const samples = await page.evaluate((): number[] => Reflect.get(window, "takePlayedSound")());
    return recognise(Float32Array.from(samples), 16_000).text;
  };
}

/** Every record of every IndexedDB database of the site, as text, and the names of other stored files. */
export const readBrowserStorage = (page: Page) =>
  page.evaluate(async () => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const records: {
      database: string;
      store: string;
      userId: string | null;
      key: string | null;
    }[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await settle(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        for (const record of await settle(database.transaction(store).objectStore(store).getAll()))
          records.push({
            database: name,
            store,
            userId: record.userId ?? null,
            key: record.key ?? null,
          });
      database.close();
    }
    const files: string[] = [];
    const folder = await navigator.storage.getDirectory();
    for await (const file of folder.keys()) files.push(file);
    return { records, files };
  });
