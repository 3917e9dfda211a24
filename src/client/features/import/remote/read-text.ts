import { type Choice, choicesMax } from "./choice.ts";
import { findEpisodes, isFeed } from "./read-feed.ts";
import { findRecordings } from "./read-page.ts";

export interface RemoteText {
  kind: "feed" | "page";
  title: string;
  /** At most `choicesMax`, the newest first. */
  choices: Choice[];
  /** There are more. */
  isCut: boolean;
}

/**
 * What a feed or a page names. Nothing of it is run or shown, and nothing that it names is fetched.
 *
 * @param base the text's own address
 * @returns null for markup that is neither
 */
export function readRemoteText(
  bytes: Uint8Array,
  { charset, base }: { charset: string; base: string },
): RemoteText | null {
  const text = decode(bytes, charset);
  const isPage = /^\s*(<!--[\s\S]{0,1000}?-->\s*)?<(!doctype\s+html|html)[\s>]/i.test(text);
  const feed = isPage ? null : parseXml(text);
  if (feed && isFeed(feed)) return limit("feed", findEpisodes(feed, base));
  // XHTML may begin as XML does.
  if (!isPage && !/<html[\s>]/i.test(text.slice(0, 2_000))) return null;
  const page = new DOMParser().parseFromString(text, "text/html");
  return limit("page", findRecordings(page, base));
}

function limit(
  kind: RemoteText["kind"],
  { title, choices }: { title: string; choices: Choice[] },
): RemoteText {
  return {
    kind,
    title,
    choices: choices.slice(0, choicesMax),
    isCut: choices.length > choicesMax,
  };
}

/** By what the site says, the mark at the start, or the text's own account; otherwise UTF-8. */
function decode(bytes: Uint8Array, charset: string): string {
  const [first, second] = bytes;
  const start = String.fromCharCode(...bytes.subarray(0, 1_024));
  const own = /(?:encoding|charset)\s*=\s*["']?([\w-]{1,40})/i.exec(start)?.[1];
  const mark =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : null;
  try {
    return new TextDecoder(mark ?? (charset || own || "utf-8")).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Null for what is no XML, and for XML with entities of its own, which may be small and become large. */
function parseXml(text: string): Document | null {
  if (/<!ENTITY/i.test(text)) return null;
  const parse = (xml: string) => new DOMParser().parseFromString(xml, "application/xml");
  const isBroken = (xml: Document) => xml.querySelector("parsererror") !== null;
  const whole = parse(text.trimStart());
  if (!isBroken(whole)) return whole;
  const cut = parse(closeFeed(text.trimStart()));
  return isBroken(cut) ? null : cut;
}

/** A feed whose end was not fetched, up to its last whole episode. */
function closeFeed(text: string): string {
  const [end, closing] = text.includes("</item>")
    ? ["</item>", /<rdf:RDF[\s>]/.test(text) ? "</rdf:RDF>" : "</channel></rss>"]
    : ["</entry>", "</feed>"];
  return text.slice(0, text.lastIndexOf(end) + end.length) + closing;
}
