import { FileError } from "./file-text.ts";

/**
 * A reader of XML for workers, which have no DOMParser. It knows the five entities of XML itself and expands no others.
 * A document type, which files of Office may not have, is an error.
 */

type XmlPart =
  /** Names without their prefix. `isEmpty`: no end follows. */
  | { kind: "start"; name: string; attributes: string; isEmpty: boolean }
  | { kind: "end"; name: string }
  | { kind: "text"; text: string };

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** @throws FileError `broken` for a document type, and for a tag or a comment without an end */
export function* readXml(xml: string): Iterable<XmlPart> {
  const findEnd = (mark: string, from: number) => {
    const end = xml.indexOf(mark, from);
    if (end === -1) throw new FileError("broken");
    return end + mark.length;
  };
  for (let at = 0; at < xml.length; ) {
    const tag = xml.indexOf("<", at);
    if (tag !== at)
      yield { kind: "text", text: decodeEntities(xml.slice(at, tag === -1 ? xml.length : tag)) };
    if (tag === -1) return;
    if (xml.startsWith("<!--", tag)) at = findEnd("-->", tag);
    else if (xml.startsWith("<![CDATA[", tag)) {
      at = findEnd("]]>", tag);
      yield { kind: "text", text: xml.slice(tag + "<![CDATA[".length, at - "]]>".length) };
    } else if (xml.startsWith("<?", tag)) at = findEnd("?>", tag);
    else if (xml.startsWith("<!", tag)) throw new FileError("broken");
    else {
      at = findTagEnd(xml, tag);
      yield readTag(xml.slice(tag + 1, at - 1));
    }
  }
}

function readTag(content: string): XmlPart {
  const isEnd = content.startsWith("/");
  const isEmpty = content.endsWith("/");
  const [, name = ""] = /^\/?(?:[^\s:/]*:)?([^\s/]*)/.exec(content) ?? [];
  return isEnd ? { kind: "end", name } : { kind: "start", name, attributes: content, isEmpty };
}

/** Behind the next `>` that is in no quotation marks. */
function findTagEnd(xml: string, from: number): number {
  let quote = "";
  for (let at = from; at < xml.length; at += 1) {
    const character = xml[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  throw new FileError("broken");
}

/** The value of an attribute, whatever the prefix of its name is. */
export function readAttribute(attributes: string, name: string): string | null {
  const match = new RegExp(String.raw`[\s:]${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = match?.[1] ?? match?.[2];
  return value === undefined ? null : decodeEntities(value);
}
