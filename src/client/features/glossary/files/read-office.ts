import type { Archive } from "#client/lib/archive/archive.ts";
import { decodeUnicode } from "#client/lib/decode-text.ts";
import { fileTextMaxLength } from "#shared/limits.ts";
import {
  createFileText,
  FileError,
  type FileText,
  filePagesMax,
  type OnProgress,
  unpackedMaxBytes,
} from "./file-text.ts";
import { readAttribute, readXml } from "./xml.ts";

const presentation = "ppt/presentation.xml";
const document = "word/document.xml";

/** What stands on a slide outside of its own file, and below it. */
const shownWith = new Set(["diagramData", "notesSlide"]);

/**
 * The text of a PPTX or DOCX file. Only the XML that has it is unpacked, one file at a time: pictures and films stay packed.
 *
 * @throws FileError, ArchiveError
 */
export async function readOffice(archive: Archive, onProgress: OnProgress): Promise<FileText> {
  if (archive.has(presentation)) return readSlides(archive, onProgress);
  if (archive.has(document)) return readDocument(archive);
  throw new FileError("misnamed");
}

/** The slides in their order, each with the text of its diagrams and its notes. */
async function readSlides(archive: Archive, onProgress: OnProgress): Promise<FileText> {
  const index = await readPart(archive, presentation);
  const relations = await listRelations(archive, presentation);
  const paths = new Map(relations.map(({ id, path }) => [id, path]));
  const slides: string[] = [];
  for (const part of readXml(index)) {
    if (part.kind !== "start" || part.name !== "sldId") continue;
    const path = paths.get(/:id\s*=\s*["']([^"']*)/.exec(part.attributes)?.[1] ?? "");
    if (path === undefined) continue;
    slides.push(path);
    if (slides.length > filePagesMax) throw new FileError("pages");
  }
  const texts: string[] = [];
  let length = 0;
  for (const [at, path] of slides.entries()) {
    onProgress(at, slides.length);
    const relations = await listRelations(archive, path);
    const others = relations.filter(({ type }) => shownWith.has(type));
    const parts: string[] = [];
    // A file belongs to one slide: where another one names it too, it was read.
    for (const one of [path, ...others.map((other) => other.path)])
      if (archive.has(one)) parts.push(...readPages(await readPart(archive, one)));
    const text = parts.join("\n");
    texts.push(text);
    length += text.length;
    if (length > fileTextMaxLength) throw new FileError("long");
  }
  return createFileText("slide", texts);
}

/** The text by pages, as the program that saved the file divided them; one section where it did not. */
async function readDocument(archive: Archive): Promise<FileText> {
  const xml = await readPart(archive, document);
  // A page break of the author's is followed by one of the program's.
  const isRendered = xml.includes("lastRenderedPageBreak");
  const texts = readPages(xml, (name, attributes) =>
    isRendered
      ? name === "lastRenderedPageBreak"
      : name === "br" && readAttribute(attributes, "type") === "page",
  );
  return createFileText(texts.length > 1 ? "page" : "section", texts);
}

async function readPart(archive: Archive, path: string): Promise<string> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for await (const block of archive.read(path, unpackedMaxBytes)) blocks.push(block);
  const bytes = new Uint8Array(await new Blob(blocks).arrayBuffer());
  return decodeUnicode(bytes) ?? new TextDecoder("latin1").decode(bytes);
}

interface Relation {
  id: string;
  /** The end of its type's address, such as `notesSlide`. */
  type: string;
  /** Path in the archive. */
  path: string;
}

/** What the file at `path` refers to. */
async function listRelations(archive: Archive, path: string): Promise<Relation[]> {
  const nameAt = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, nameAt);
  const relationsPath = `${folder}_rels/${path.slice(nameAt)}.rels`;
  if (!archive.has(relationsPath)) return [];
  const relations: Relation[] = [];
  for (const part of readXml(await readPart(archive, relationsPath))) {
    if (part.kind !== "start" || part.name !== "Relationship") continue;
    const read = (attribute: string) => readAttribute(part.attributes, attribute) ?? "";
    if (read("TargetMode") === "External") continue;
    const type = read("Type").replace(/^.*\//, "");
    relations.push({ id: read("Id"), type, path: resolvePath(folder, read("Target")) });
  }
  return relations;
}

function resolvePath(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Elements whose text is not shown: what a program without the newer drawing shows instead, deleted words, fields. */
const hidden = new Set(["Fallback", "del", "moveFrom", "fld"]);
const breaks: Record<string, string> = { br: "\n", cr: "\n", tab: " ", noBreakHyphen: "-" };

/**
 * The text of a slide, notes or document, with a line for each paragraph and each cell of a table.
 *
 * @param isPageBreak starts a new page of the result
 * @throws FileError `broken`, `pages`
 */
function readPages(
  xml: string,
  isPageBreak: (name: string, attributes: string) => boolean = () => false,
): string[] {
  const pages: string[] = [];
  let page = "";
  let hiddenDepth = 0;
  let isText = false;
  for (const part of readXml(xml)) {
    if (part.kind === "text") {
      if (isText && hiddenDepth === 0) page += part.text;
      continue;
    }
    const isStart = part.kind === "start" && !part.isEmpty;
    if (hidden.has(part.name) && (isStart || part.kind === "end"))
      hiddenDepth = Math.max(0, hiddenDepth + (isStart ? 1 : -1));
    if (part.name === "t") isText = isStart;
    if (part.kind === "end") {
      if (part.name === "p") page += "\n";
      continue;
    }
    if (hiddenDepth > 0) continue;
    if (isPageBreak(part.name, part.attributes)) {
      pages.push(page);
      if (pages.length > filePagesMax) throw new FileError("pages");
      page = "";
    } else page += breaks[part.name] ?? "";
  }
  return [...pages, page];
}
