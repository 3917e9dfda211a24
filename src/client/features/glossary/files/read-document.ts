import { checkPages, FileError, type FileText } from "./file-text.ts";
import { openPackage, readPages } from "./office-package.ts";
import { readAttribute } from "./xml.ts";

const main = "word/document.xml";

/**
 * The text of a DOCX file by pages, as the program that saved it divided them; one section where it did not.
 *
 * @throws FileError
 */
export function readDocument(bytes: Uint8Array): FileText {
  const files = openPackage(bytes, (path) => path === main);
  const xml = files.get(main);
  if (xml === undefined) throw new FileError("broken");
  // A page break of the author's is followed by one of the program's.
  const isRendered = xml.includes("lastRenderedPageBreak");
  const texts = readPages(xml, (name, attributes) =>
    isRendered
      ? name === "lastRenderedPageBreak"
      : name === "br" && readAttribute(attributes, "type") === "page",
  );
  const pages = texts.map((text, at) => ({ number: at + 1, text }));
  return checkPages({ unit: texts.length > 1 ? "page" : "section", isWrapped: false, pages });
}
