import * as z from "zod/mini";
import { mediaMaxBytes, remoteAddressMaxLength } from "./limits.ts";

/**
 * Files on other sites that become lectures: sound and video, and the feeds and pages that name them. The page fetches them
 * itself where the other site lets it, and otherwise by `POST /api/remote-file`, whose answer has `remoteFileHeader`.
 */

export const remoteFilePath = "/api/remote-file";
/** `RemoteFile` as JSON, encoded as a part of an address. */
export const remoteFileHeader = "remote-file";

/**
 * Why nothing is fetched. `address`: it is none that is fetched. `missing`: 404. `refused`: the site does not give it.
 * `notReached`: no answer. `redirects`: they do not end, or lead nowhere. `type`: no sound, video, feed or page. `stream`: a
 * list of pieces. `slow`: too few bytes in the time. `broken`: it ended early.
 */
const remoteProblems = [
  "address",
  "missing",
  "refused",
  "notReached",
  "redirects",
  "type",
  "stream",
  "empty",
  "tooLarge",
  "slow",
  "broken",
] as const;
export type RemoteProblem = (typeof remoteProblems)[number];

export class RemoteFileError extends Error {
  override readonly name = "RemoteFileError";

  constructor(readonly problem: RemoteProblem) {
    super(`The remote file is not fetched: ${problem}`);
  }
}

/** The status of an answer that is a `remoteRefusal`. */
export const remoteRefusalStatus = 422;
export const remoteRefusal = z.object({ problem: z.enum(remoteProblems) });

const size = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));
const validatorMaxLength = 200;
const typeMaxLength = 100;

export const remoteFile = z.object({
  /** `text`: a feed or a page. */
  kind: z.enum(["media", "text"]),
  /** MIME type, without parameters; empty: it is not known. */
  type: z.string(),
  /** Of a text, as the site says; empty: it does not. */
  charset: z.string(),
  /** Where redirects have led. */
  address: z.string(),
  /** As the site calls the file; empty: it does not. */
  name: z.string(),
  /** Of the whole file, bytes; null: the site does not say. */
  size: z.nullable(size),
  /** The first byte of this answer. */
  from: size,
  /** Names this version of the file (`ETag`, `Last-Modified`); null: none does. */
  validator: z.nullable(z.string()),
});
export type RemoteFile = z.infer<typeof remoteFile>;

export const remoteFileInput = z.object({
  address: z.string().check(z.maxLength(remoteAddressMaxLength)),
  /** The first byte that is wanted. */
  from: z.int().check(z.minimum(0), z.maximum(mediaMaxBytes)),
  /** Of the answer that ended before `from`. */
  validator: z.nullable(
    z.string().check(z.maxLength(validatorMaxLength), z.regex(/^[\x20-\x7e]*$/)),
  ),
});
export type RemoteFileInput = z.infer<typeof remoteFileInput>;

/** Null for what is no address. The oldest browsers have no `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The address that `text` is, https unless it says http; null: it is none. */
export function parseRemoteAddress(text: string): URL | null {
  const trimmed = text.trim();
  if (trimmed.length > remoteAddressMaxLength || /\s/.test(trimmed)) return null;
  // Programs for podcasts write `feed:https://…` and `feed://…`.
  const plain = trimmed.replace(/^feed:(\/\/)?(?=https?:)/i, "").replace(/^feed:/i, "https:");
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(plain);
  const url = parseUrl(hasScheme ? plain : `https://${plain}`);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "") return null;
  // A word is no address.
  if (!hasScheme && !url.hostname.includes(".")) return null;
  url.hash = "";
  return url;
}

/** How the validator of an answer is sent back, so that the rest comes only of the same version. */
export function listRangeHeaders({
  from,
  validator,
}: Omit<RemoteFileInput, "address">): Record<string, string> {
  if (from === 0) return {};
  return { range: `bytes=${from}-`, ...(validator !== null && { "if-range": validator }) };
}

/** Bytes by which kinds are told apart. */
export const startBytes = 512;

/**
 * What an answer to a request from byte `from` on holds. Headers that the page may not read count as missing.
 *
 * @param start the first bytes of the answer, `startBytes` unless it is shorter
 * @throws RemoteFileError
 */
export function describeRemoteFile(
  { status, headers, url }: Pick<Response, "status" | "headers" | "url">,
  { from, start }: { from: number; start: Uint8Array },
): RemoteFile {
  const isRest = status === 206;
  const [given = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const type = given.trim().slice(0, typeMaxLength);
  const charset = parameters.map((one) => /^\s*charset="?([\w-]+)/.exec(one)?.[1]).find(Boolean);
  // The beginning of the file was told apart before.
  const found = isRest && from > 0 ? { kind: "media" as const, type } : findKind(type, start);
  return {
    ...found,
    charset: charset ?? "",
    address: url,
    name: readFileName(headers.get("content-disposition") ?? ""),
    ...readSizes(headers, isRest, from),
    validator: readValidator(headers),
  };
}

/** @throws RemoteFileError if `status` is no answer with a file */
export function checkStatus(status: number, from: number): void {
  if (status === 200 || (status === 206 && from > 0)) return;
  if (status === 404 || status === 410) throw new RemoteFileError("missing");
  // The file is shorter than what there is of it.
  if (status === 416) throw new RemoteFileError("broken");
  if (status === 204 || status === 205) throw new RemoteFileError("empty");
  throw new RemoteFileError("refused");
}

function readSizes(headers: Headers, isRest: boolean, wanted: number) {
  // `fetch` has decoded the body: its length is another one.
  const isEncoded = !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");
  const length = /^\d{1,15}$/.exec(headers.get("content-length") ?? "")?.[0];
  const declared = length === undefined || isEncoded ? null : Number(length);
  if (!isRest) return { from: 0, size: declared };
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(
    headers.get("content-range") ?? "",
  );
  const from = range ? Number(range[1]) : wanted;
  if (from !== wanted) throw new RemoteFileError("broken");
  if (range && range[2] !== "*") return { from, size: Number(range[2]) };
  return { from, size: declared === null ? null : from + declared };
}

/** A weak one does not vouch for each byte. */
function readValidator(headers: Headers): string | null {
  const tag = headers.get("etag");
  const validator = tag !== null && !tag.startsWith("W/") ? tag : headers.get("last-modified");
  return validator !== null && validator.length <= validatorMaxLength ? validator : null;
}

/** RFC 6266: the extended form, or the plain one. */
function readFileName(disposition: string): string {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;]{1,600})/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]{1,200})"|([^;"]{1,200}))/i.exec(disposition);
  const name = (extended && decode(extended.trim())) ?? plain?.[1] ?? plain?.[2] ?? "";
  return name.trim().slice(0, 200).toWellFormed();
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return;
  }
}

/** Types that say nothing about what a file is, or are often wrong. */
const vagueTypes =
  /^$|^(application|binary)\/(octet-stream|force-download|download|x-download)$|^text\/plain$/;
const textTypes = /^text\/(html|xml)$|^application\/(xhtml\+xml|rss\+xml|atom\+xml|rdf\+xml|xml)$/;
const streamTypes = /mpegurl|dash\+xml|^video\/vnd\.mpeg\.dash/;

/** @throws RemoteFileError */
function findKind(type: string, start: Uint8Array): Pick<RemoteFile, "kind" | "type"> {
  const text = decodeStart(start);
  if (streamTypes.test(type) || text.startsWith("#EXTM3U")) throw new RemoteFileError("stream");
  if (start.byteLength === 0) throw new RemoteFileError("empty");
  if (textTypes.test(type)) return { kind: "text", type };
  const isNamed = /^(audio|video)\//.test(type) || type === "application/ogg";
  if (isNamed && !isMarkup(text)) return { kind: "media", type };
  if (!isNamed && !vagueTypes.test(type)) throw new RemoteFileError("type");
  if (isMarkup(text)) return { kind: "text", type: isPage(text) ? "text/html" : "text/xml" };
  const media = findMediaType(start);
  if (media === null) throw new RemoteFileError("type");
  return { kind: "media", type: media };
}

/** The beginning as text: markup has its marks as single bytes, in all but UTF-16. */
const decodeStart = (start: Uint8Array): string =>
  String.fromCharCode(...start.filter((byte) => byte !== 0))
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .trimStart();

const isPage = (text: string): boolean => /^<(!doctype html|html)/i.test(text);
const isMarkup = (text: string): boolean => /^<(\?xml|!doctype|html|rss|feed)[\s>]/i.test(text);

/** How files of sound and video begin, as Latin-1; `?`: any byte. */
const beginnings: readonly [type: string, beginning: string][] = [
  ["audio/mpeg", "ID3"],
  ["video/mp4", "????ftyp"],
  ["video/quicktime", "????moov"],
  ["video/quicktime", "????mdat"],
  ["video/webm", "\x1a\x45\xdf\xa3"],
  ["audio/ogg", "OggS"],
  ["audio/wav", "RIFF????WAVE"],
  ["audio/wav", "RF64????WAVE"],
  ["audio/flac", "fLaC"],
  ["video/x-msvideo", "RIFF????AVI "],
  ["video/x-ms-asf", "\x30\x26\xb2\x75\x8e\x66\xcf\x11"],
  ["video/x-flv", "FLV\x01"],
  ["video/mpeg", "\x00\x00\x01\xba"],
  ["audio/amr", "#!AMR"],
  ["audio/aiff", "FORM????AIF"],
  ["audio/x-caf", "caff"],
];

/** The type of sound or video that begins with `start`; null: it is none that is known. */
function findMediaType(start: Uint8Array): string | null {
  const found = beginnings.find(([, beginning]) =>
    Array.from(beginning).every(
      (letter, at) => letter === "?" || letter.charCodeAt(0) === start[at],
    ),
  );
  if (found) return found[0];
  const [first = 0, second = 0] = start;
  // Frames of ADTS, and of MPEG's layers.
  if (first === 0xff && (second & 0xf6) === 0xf0) return "audio/aac";
  if (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0) return "audio/mpeg";
  return first === 0x47 && start[188] === 0x47 ? "video/mp2t" : null;
}
