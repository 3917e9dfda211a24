import {
  checkPages,
  FileError,
  type FileText,
  filePagesMax,
  type OnProgress,
} from "./file-text.ts";
import { listRelations, openPackage, readPages } from "./office-package.ts";
import { readXml } from "./xml.ts";

const presentation = "ppt/presentation.xml";
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
  const pages = slides.map((path, at) => {
    onProgress(at, slides.length);
    const others = listRelations(files, path).filter(({ type }) => shownWith.has(type));
    const texts = [path, ...others.map((other) => other.path)].map((one) => files.get(one) ?? "");
    return { number: at + 1, text: texts.flatMap((xml) => readPages(xml)).join("\n") };
  });
  return checkPages({ unit: "slide", isWrapped: false, pages });
}
