import { Archive } from "#client/lib/archive/archive.ts";
import { ArchiveError } from "#client/lib/archive/directory.ts";
import { decodeText } from "#client/lib/decode-text.ts";
import {
  createFileText,
  FileError,
  type FileText,
  fileMaxBytes,
  type OnProgress,
  termFileExtensions,
  unpackedMaxBytes,
} from "./file-text.ts";

type Extension = (typeof termFileExtensions)[number];

/** What a file is by its first 1,024 bytes, whatever its name says. */
function detectContent(bytes: Uint8Array): "pdf" | "zip" | "compound" | "other" {
  const starts = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04)) return "zip";
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return "compound";
  // Some programs write something before it.
  const head = String.fromCharCode(...bytes);
  return head.includes("%PDF-") ? "pdf" : "other";
}

const getExtension = (name: string): Extension | undefined => {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return termFileExtensions.find((one) => one === extension);
};

/** In UTF-16, as the directory of a compound file has the name. */
const encryptedPackage = Array.from("EncryptedPackage").join("\0");

/**
 * The text of a PDF, PPTX, DOCX, TXT or Markdown file. A file that is one of the others by its content is read as that.
 *
 * @throws FileError
 */
export async function readFile(
  file: File,
  onProgress: OnProgress,
  loadCharacterCodes: (name: string) => Promise<Uint8Array>,
): Promise<FileText> {
  const extension = getExtension(file.name);
  if (extension === undefined) throw new FileError("kind");
  if (file.size > fileMaxBytes) throw new FileError("size");
  const content = detectContent(await readBytes(file.slice(0, 1_024)));
  if (content === "zip") return readOfficeFile(file, onProgress);
  const bytes = await readBytes(file);
  if (bytes.length === 0) throw new FileError("empty");
  if (content === "pdf")
    return (await import("./read-pdf.ts")).readPdf(bytes, onProgress, loadCharacterCodes);
  if (content === "compound")
    throw new FileError(hasText(bytes, encryptedPackage) ? "encrypted" : "old");
  if (extension !== "txt" && extension !== "md") throw new FileError("misnamed");
  return readPlainText(bytes);
}

async function readBytes(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) throw new FileError("unreadable");
  return new Uint8Array(buffer);
}

/** Files of a package; slides have ten each. */
const archiveBounds = { entries: 20_000, bytes: unpackedMaxBytes };

async function readOfficeFile(file: Blob, onProgress: OnProgress): Promise<FileText> {
  const { readOffice } = await import("./read-office.ts");
  try {
    return await readOffice(await Archive.open(file, archiveBounds), onProgress);
  } catch (failure) {
    if (!(failure instanceof ArchiveError)) throw failure;
    const { problem } = failure;
    if (problem === "unsafe") throw new FileError("unpacked");
    throw new FileError(problem === "kind" ? "broken" : problem);
  }
}

/** Whether Latin-1 `text` occurs. */
const hasText = (bytes: Uint8Array, text: string): boolean => {
  const size = 1 << 20;
  for (let from = 0; from < bytes.length; from += size)
    if (toLatin(bytes.subarray(from, from + size + text.length)).includes(text)) return true;
  return false;
};

const toLatin = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/** Sections begin at the headings of Markdown. @throws FileError */
async function readPlainText(bytes: Uint8Array): Promise<FileText> {
  const decoded = await decodeText(bytes).catch(() => {
    throw new FileError("unreadable");
  });
  if (decoded === null) throw new FileError("encoding");
  const { text } = decoded;
  const sections = text.split(/^(?=#{1,2} )/m);
  // More headings than pages are no sections.
  const parts = sections.length > 200 ? [text] : sections;
  return createFileText(
    "section",
    parts.map((part) => part.replace(/^#+ /gm, "")),
  );
}
