import type { DocxResult } from "./create-docx-in-worker.ts";
import { toDocx } from "./files/docx.ts";
import type { FileRequest } from "./formats.ts";

self.addEventListener("message", async ({ data }: MessageEvent<FileRequest>) => {
  const answer: DocxResult = await toDocx(data.lecture, data.sides, data.labels).then(
    (bytes) => ({ bytes }),
    (failure: unknown) => ({
      failure: failure instanceof Error ? failure.message : String(failure),
    }),
  );
  self.postMessage(answer, { transfer: "bytes" in answer ? [answer.bytes.buffer] : [] });
});
