import { buffer } from "node:stream/consumers";
import { fromBuffer } from "yauzl";

/** Names of folders end in `/`. */
export type Unzipped = Map<string, Buffer>;

/** What another program finds in a ZIP, in order. It refuses names that lead out of the folder. */
export function unzip(zip: Uint8Array): Promise<Unzipped> {
  return new Promise((resolve, reject) => {
    const files: Unzipped = new Map();
    fromBuffer(
      Buffer.from(zip),
      { lazyEntries: true, strictFileNames: true },
      (failure, archive) => {
        if (failure) return reject(failure);
        archive.on("error", reject);
        archive.on("end", () => resolve(files));
        archive.on("entry", (entry) => {
          const keep = (content: Buffer) => {
            files.set(entry.fileName, content);
            archive.readEntry();
          };
          if (entry.fileName.endsWith("/")) return keep(Buffer.alloc(0));
          archive.openReadStream(entry, (broken, stream) => {
            if (broken) reject(broken);
            else buffer(stream).then(keep, reject);
          });
        });
        archive.readEntry();
      },
    );
  });
}
