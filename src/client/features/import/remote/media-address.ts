import { titleMaxLength } from "#client/features/import/read-file.ts";
import { oneLine } from "#client/lib/text.ts";
import { isMediaFile, type mediaExtensions } from "#client/sound/media-files/media-file.ts";
import { parseUrl, type RemoteFile } from "#shared/remote-file.ts";

/** An address that a text names, in full; null if it is none of http or https. */
export function toAddress(text: string, base: string): string | null {
  const url = parseUrl(text.trim(), base);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : null;
}

/** Of a file, and not of a list of pieces. */
export const isMediaType = (type: string): boolean =>
  (/^(audio|video)\//.test(type) || type === "application/ogg") && !/mpegurl|dash/.test(type);

/** Whether the address ends like the name of a sound or video file. */
export const isMediaAddress = (address: string): boolean =>
  isMediaFile({ name: readName(address), type: "" });

export const toTitleText = (text: string): string =>
  oneLine(text).slice(0, titleMaxLength).toWellFormed();

/** The last part of the path. */
function readName(address: string): string {
  const path = new URL(address).pathname;
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const extensions: readonly [type: RegExp, extension: (typeof mediaExtensions)[number]][] = [
  [/mpeg|mp3/, "mp3"],
  [/^audio\/.*(mp4|m4a)/, "m4a"],
  [/^video\/.*mp4/, "mp4"],
  [/webm/, "webm"],
  [/ogg/, "ogg"],
  [/wav/, "wav"],
  [/flac/, "flac"],
  [/aac/, "aac"],
];

/** A name for what was fetched, with an ending: its lecture is called so. */
export function nameFile(title: string, { name, address, type }: RemoteFile): string {
  const given = name || readName(address);
  const [ending = ""] = /\.[a-z\d]{2,5}$/i.exec(given) ?? [];
  const found = extensions.find(([pattern]) => pattern.test(type))?.[1];
  const own = isMediaFile({ name: given, type: "" }) ? ending : `.${found ?? "media"}`;
  const stem = title || (own === ending ? given.slice(0, -ending.length) : given);
  return `${stem || new URL(address).hostname}${own}`;
}
