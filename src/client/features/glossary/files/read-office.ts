import { strFromU8, unzipSync } from "fflate";
import { decodeText } from "#client/lib/decode-text.ts";
import {
  createFileText,
  FileError,
  type FileText,
  filePagesMax,
  type OnProgress,
  unpackedMaxBytes,
} from "./file-text.ts";
import { readAttribute, readXml } from "./xml.ts";

/** The XML files of a package of Office Open XML, by path. Pictures and films stay packed. */
type OfficePackage = ReadonlyMap<string, string>;

const presentation = "ppt/presentation.xml";
const document = "word/document.xml";

/** What stands on a slide outside of its own file, and below it. */
const shownWith = new Set(["diagramData", "notesSlide"]);

/**
 * The slides of a PPTX file in their order, each with the text of its diagrams and its notes.
 *
 * @throws FileError
 */
export function readSlides(bytes: Uint8Array, onProgress: OnProgress): FileText {
  const files = openPackage(bytes, (path) =>
    /^ppt\/(?:(?:slides|notesSlides|diagrams)\/)?(?:_rels\/)?[^/]*\.(?:xml|rels)$/.test(path),
  );
  const index = files.get(presentation);
  if (index === undefined) throw new FileError("broken");
  const paths = new Map(listRelations(files, presentation).map(({ id, path }) => [id, path]));
  const slides = [...readXml(index)].flatMap((part) =>
    part.kind === "start" && part.name === "sldId"
      ? (paths.get(/\w+:id\s*=\s*["']([^"']*)/.exec(part.attributes)?.[1] ?? "") ?? [])
      : [],
  );
  if (slides.length > filePagesMax) throw new FileError("pages");
  const texts = slides.map((path, at) => {
    onProgress(at, slides.length);
    const others = listRelations(files, path).filter(({ type }) => shownWith.has(type));
    const parts = [path, ...others.map((other) => other.path)].map((one) => files.get(one) ?? "");
    return parts.flatMap((xml) => readPages(xml)).join("\n");
  });
  return createFileText("slide", texts);
}

/**
 * The text of a DOCX file by pages, as the program that saved it divided them; one section where it did not.
 *
 * @throws FileError
 */
export function readDocument(bytes: Uint8Array): FileText {
  const files = openPackage(bytes, (path) => path === document);
  const xml = files.get(document);
  if (xml === undefined) throw new FileError("broken");
  // A page break of the author's is followed by one of the program's.
  const isRendered = xml.includes("lastRenderedPageBreak");
  const texts = readPages(xml, (name, attributes) =>
    isRendered
      ? name === "lastRenderedPageBreak"
      : name === "br" && readAttribute(attributes, "type") === "page",
  );
  return createFileText(texts.length > 1 ? "page" : "section", texts);
}

/** @throws FileError `unpacked`, `broken` */
function openPackage(bytes: Uint8Array, isWanted: (path: string) => boolean): OfficePackage {
  let unpacked = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false;
        unpacked += originalSize;
        // A file gets no more than the size that it declares.
        if (unpacked > unpackedMaxBytes) throw new FileError("unpacked");
        return true;
      },
    });
  } catch (failure) {
    throw failure instanceof FileError ? failure : new FileError("broken");
  }
  const decode = (content: Uint8Array) => decodeText(content) ?? strFromU8(content, true);
  return new Map(Object.entries(files).map(([path, content]) => [path, decode(content)]));
}

interface Relation {
  id: string;
  /** The end of its type's address, such as `notesSlide`. */
  type: string;
  /** Path in the package. */
  path: string;
}

/** What the file at `path` refers to. */
function listRelations(files: OfficePackage, path: string): Relation[] {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
  const xml = files.get(`${folder}_rels/${name}.rels`) ?? "";
  return [...readXml(xml)].flatMap((part) => {
    if (part.kind !== "start" || part.name !== "Relationship") return [];
    const read = (attribute: string) => readAttribute(part.attributes, attribute) ?? "";
    if (read("TargetMode") === "External") return [];
    const type = read("Type").replace(/^.*\//, "");
    return { id: read("Id"), type, path: resolvePath(folder, read("Target")) };
  });
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
 * @throws FileError `broken`
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
      page = "";
    } else page += breaks[part.name] ?? "";
  }
  return [...pages, page];
}
