import type { Choice } from "./choice.ts";
import { isMediaAddress, isMediaType, toAddress, toTitleText } from "./media-address.ts";

/** What is taken of a page's data for search engines: values, and their depth. */
const valuesMax = 20_000;
const depthMax = 20;

interface Named {
  address: string | null | undefined;
  title?: string;
  /** MIME type; empty: the page does not say. */
  type?: string;
}

/**
 * Recordings that the page declares as files, or else those that it links to; and the feeds that belong to it. Players of
 * other sites are none.
 */
export function findRecordings(page: Document, base: string): { title: string; choices: Choice[] } {
  const found = new Map<string, Choice>();
  const root =
    toAddress(page.querySelector("base[href]")?.getAttribute("href") ?? "", base) ?? base;
  const title = toTitleText(readMeta(page, "og:title") || page.title);
  const add = (kind: Choice["kind"], { address: text, title = "", type = "" }: Named) => {
    const address = text ? toAddress(text, root) : null;
    if (address === null || found.has(address)) return;
    if (kind === "file" && !(type === "" ? isMediaAddress(address) : isMediaType(type))) return;
    const unknown = { publishedAt: null, seconds: null, bytes: null };
    found.set(address, { kind, address, title: toTitleText(title), ...unknown });
  };
  for (const one of listElements(page)) add("file", one);
  for (const one of listData(page)) add("file", one);
  for (const one of listMeta(page)) add("file", one);
  if (found.size === 0)
    for (const link of page.querySelectorAll("a[href]"))
      add("file", { address: link.getAttribute("href"), title: link.textContent ?? "" });
  for (const one of page.querySelectorAll("link[rel~=alternate][href]")) {
    const type = one.getAttribute("type") ?? "";
    if (/^application\/(rss|atom)\+xml/i.test(type))
      add("feed", { address: one.getAttribute("href"), title: one.getAttribute("title") ?? "" });
  }
  return { title, choices: [...found.values()] };
}

/** The files of `<audio>` and `<video>`: of several sources, which are the same recording, the first that is a file. */
function* listElements(page: Document): Iterable<Named> {
  for (const element of page.querySelectorAll("audio, video")) {
    const title = element.getAttribute("title") ?? element.getAttribute("aria-label") ?? "";
    const sources = [element, ...element.querySelectorAll("source")].flatMap((one) => {
      const address = one.getAttribute("src");
      const type = (one.getAttribute("type") ?? "").toLowerCase().split(";")[0]?.trim() ?? "";
      // The element says that it is sound or video.
      const isStream =
        type !== "" ? !isMediaType(type) : /\.(m3u8?|mpd)([?#]|$)/i.test(address ?? "");
      return address === null || isStream ? [] : { address, title, type: type || "video/*" };
    });
    yield* sources.slice(0, 1);
  }
}

const readMeta = (page: Document, name: string): string =>
  page.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute("content") ??
  "";

/** Open Graph, and cards of Twitter. A player's page has the type `text/html`, or the ending of no file. */
function* listMeta(page: Document): Iterable<Named> {
  for (const kind of ["audio", "video"]) {
    const names = [`og:${kind}:secure_url`, `og:${kind}:url`, `og:${kind}`];
    const address = names.map((name) => readMeta(page, name)).find((one) => one !== "");
    yield { address, type: readMeta(page, `og:${kind}:type`).toLowerCase() };
  }
  const type = readMeta(page, "twitter:player:stream:content_type").toLowerCase();
  yield {
    address: readMeta(page, "twitter:player:stream"),
    type: type.split(";")[0]?.trim() ?? "",
  };
}

/** `AudioObject` and `VideoObject` of schema.org, as JSON-LD. */
function* listData(page: Document): Iterable<Named> {
  const left = { values: valuesMax };
  for (const script of page.querySelectorAll('script[type="application/ld+json"]'))
    yield* listObjects(parseJson(script.textContent ?? ""), left);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function* listObjects(value: unknown, left: { values: number }, depth = 0): Iterable<Named> {
  left.values -= 1;
  if (typeof value !== "object" || value === null || depth > depthMax || left.values < 0) return;
  const { contentUrl, encodingFormat, name } = value as Record<string, unknown>;
  const type = [(value as Record<string, unknown>)["@type"]].flat();
  if (
    typeof contentUrl === "string" &&
    type.some((one) => /^(Audio|Video|Media)Object$/.test(`${one}`))
  ) {
    const format = typeof encodingFormat === "string" ? encodingFormat.toLowerCase() : "";
    const isType = format.includes("/");
    yield {
      address: contentUrl,
      title: typeof name === "string" ? name : "",
      // It says that it is sound or video, whatever its address ends with.
      type: isType ? format : /\.(m3u8?|mpd)([?#]|$)/i.test(contentUrl) ? "stream" : "video/*",
    };
  }
  for (const child of Object.values(value)) yield* listObjects(child, left, depth + 1);
}
