import { loadCharacterCodes } from "#client/lib/pdf/pdf-data.ts";
import { FileError, type FileReport } from "./file-text.ts";
import { readFile } from "./read-file.ts";

const report = (fileText: FileReport["fileText"]) =>
  self.postMessage({ fileText } satisfies FileReport);

self.addEventListener("message", async ({ data }) => {
  if (!(data instanceof File)) return;
  const onProgress = (done: number, total: number) => report({ kind: "progress", done, total });
  try {
    report({ kind: "read", text: await readFile(data, onProgress, loadCharacterCodes) });
  } catch (failure) {
    report({ kind: "failed", problem: failure instanceof FileError ? failure.problem : "broken" });
  }
});
