import { oneLine } from "#client/lib/text.ts";
import type { Choice } from "./choice.ts";
import { isMediaAddress, isMediaType, toAddress, toTitleText } from "./media-address.ts";

/** Feeds of podcasts: RSS 2.0 and 1.0, Atom, and the tags that iTunes and Yahoo have added. */

export const isFeed = ({ documentElement }: Document): boolean =>
  ["rss", "RDF", "feed"].includes(documentElement.localName);

/** Episodes that have a file, the newest first; without dates as the feed has them. */
export function findEpisodes(feed: Document, base: string): { title: string; choices: Choice[] } {
  const root = feed.documentElement;
  const channel = root.localName === "feed" ? root : findChild(root, "channel");
  const items = [...feed.getElementsByTagName("*")].filter(
    ({ localName }) => localName === "item" || localName === "entry",
  );
  const choices = items.flatMap((item) => toEpisode(item, base) ?? []);
  const time = ({ publishedAt }: Choice) => (publishedAt === null ? 0 : Date.parse(publishedAt));
  choices.sort((one, other) => time(other) - time(one));
  return { title: channel ? readText(channel, "title") : "", choices };
}

function toEpisode(item: Element, base: string): Choice | null {
  const file = listFiles(item)
    .map((one) => ({ ...one, address: toAddress(one.address, base) }))
    .find(({ address, type }) => address !== null && isMedia(type, address));
  if (!file || file.address === null) return null;
  const length = Number(file.length);
  return {
    kind: "file",
    address: file.address,
    title: toTitleText(readText(item, "title")),
    publishedAt: readDate(item),
    seconds: readDuration(readText(item, "duration")),
    // Some feeds have a number that stands for nothing.
    bytes: Number.isSafeInteger(length) && length > 10_000 ? length : null,
  };
}

const isMedia = (type: string, address: string): boolean =>
  type === "" ? isMediaAddress(address) : isMediaType(type);

function listFiles(item: Element) {
  return [...item.getElementsByTagName("*")].flatMap((one) => {
    const get = (name: string) => one.getAttribute(name) ?? "";
    const isFile =
      one.localName === "enclosure" ||
      (one.localName === "link" && get("rel") === "enclosure") ||
      (one.localName === "content" && get("url") !== "");
    if (!isFile) return [];
    return {
      address: get("url") || get("href"),
      type: get("type").toLowerCase(),
      length: get("length") || get("fileSize"),
    };
  });
}

const findChild = (element: Element, name: string): Element | undefined =>
  [...element.children].find(({ localName }) => localName === name);

const readText = (element: Element, name: string): string =>
  oneLine(findChild(element, name)?.textContent ?? "");

function readDate(item: Element): string | null {
  const names = ["pubDate", "published", "date", "updated"];
  const text = names.map((name) => readText(item, name)).find((one) => one !== "");
  const date = new Date(text ?? "");
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9_999 ? date.toISOString() : null;
}

/** Seconds, or `1:02:03` and `2:03`. */
function readDuration(text: string): number | null {
  if (!/^\d{1,6}(:\d{1,2}){0,2}(\.\d+)?$/.test(text)) return null;
  return Math.round(text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0));
}
