import { readFile } from "./read-file.ts";

self.addEventListener("message", async ({ data }: MessageEvent<File>) => {
  self.postMessage(await readFile(data));
});
