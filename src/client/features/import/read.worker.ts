import { readFile } from "./read-file.ts";
import type { ReadRequest } from "./read-in-worker.ts";

self.addEventListener("message", async ({ data }: MessageEvent<ReadRequest>) => {
  self.postMessage(await readFile(data.file, data.encoding));
});
