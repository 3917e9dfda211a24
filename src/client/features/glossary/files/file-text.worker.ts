import { FileError, type FileReport } from "./file-text.ts";
import { readFile } from "./read-file.ts";

/** Addresses of Adobe's character codes, by their names. Not as data: the policy for content forbids reading that. */
const characterCodes = import.meta.glob<string>(
  "../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap",
  { query: "?url&no-inline", import: "default", eager: true },
);

async function loadCharacterCodes(name: string): Promise<Uint8Array> {
  const path = Object.keys(characterCodes).find((one) => one.endsWith(`/${name}`));
  const answer = await fetch(characterCodes[path ?? ""] ?? "");
  if (path === undefined || !answer.ok) throw new Error(`No character codes ${name}`);
  return new Uint8Array(await answer.arrayBuffer());
}

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
