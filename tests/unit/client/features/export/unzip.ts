import { Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";

/**
 * What another program finds in a ZIP, in order; names of folders end in `/`. It refuses names that lead out of the folder,
 * wrong checksums, and headers that disagree.
 */
export async function unzip(zip: Uint8Array): Promise<Map<string, Buffer>> {
  const archive = new ZipReader(new Uint8ArrayReader(zip), {
    strictness: "strict",
    checkCrc32: true,
    useWebWorkers: false,
  });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.getEntriesGenerator()) {
    const content = entry.directory ? new ArrayBuffer() : await entry.arrayBuffer();
    files.set(entry.filename, Buffer.from(content));
  }
  return files;
}
