import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** What another program finds in a ZIP, in order; names of folders end in `/`. It refuses names that lead out of the folder. */
export async function unzip(zip: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = await fromBufferPromise(Buffer.from(zip), { strictFileNames: true });
  for await (const entry of archive.eachEntry()) {
    const isFolder = entry.fileName.endsWith("/");
    const content = isFolder
      ? Buffer.alloc(0)
      : await buffer(await archive.openReadStreamPromise(entry));
    files.set(entry.fileName, content);
  }
  return files;
}
