import type { FileRequest } from "./formats.ts";
import type { FileAnswer } from "./in-worker.ts";

/** What makes documents, each loaded when it is wanted. */
async function make({
  lecture,
  format,
  sides,
  words,
}: FileRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "docx") {
    const { toDocx } = await import("./files/docx.ts");
    return toDocx(lecture, sides, words);
  }
  const [{ toPdf }, { servedFonts }] = await Promise.all([
    import("./pdf/make-pdf.ts"),
    import("./pdf/font-files.ts"),
  ]);
  return toPdf(lecture, sides, words, servedFonts);
}

self.addEventListener("message", async ({ data }: MessageEvent<FileRequest>) => {
  const answer: FileAnswer = await make(data).then(
    (bytes) => ({ bytes }),
    (failure: unknown) => ({
      failure: failure instanceof Error ? failure.message : String(failure),
    }),
  );
  self.postMessage(answer, { transfer: "bytes" in answer ? [answer.bytes.buffer] : [] });
});
