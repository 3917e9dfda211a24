import { normalize } from "#shared/normal-form.ts";

/** File systems allow 255 bytes; this leaves space for an extension and a number. */
const nameMaxBytes = 120;

/** Device names that Windows reserves, with any extension. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

const countBytes = (text: string) => new TextEncoder().encode(text).byteLength;

/** The first whole characters of `text` that fit into `max` bytes of UTF-8. */
function truncateToBytes(text: string, max: number): string {
  if (countBytes(text) <= max) return text;
  let kept = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += countBytes(segment);
    if (bytes > max) break;
    kept += segment;
  }
  return kept;
}

/** `name` as a valid file name on Windows, macOS and Linux; `fallback` if nothing of it is valid. */
export function toSafeName(name: string, fallback: string): string {
  const clean = normalize(name.toWellFormed(), "NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: invalid in file names
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
    // Direction marks could disguise the extension.
    .replace(/[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "")
    .replace(/[<>:"/\\|?*]/g, "-")
    .replace(/\s+/g, " ");
  // Windows drops trailing dots and spaces; a leading dot hides the file.
  const trimmed = truncateToBytes(clean.replace(/^[. ]+/, ""), nameMaxBytes).replace(/[. ]+$/, "");
  if (trimmed === "") return fallback;
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed;
}

const toKey = (name: string) => normalize(name, "NFKC").toLowerCase().toUpperCase();

/** The file names used in one folder. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The last number that was tried for a name. */
  readonly #numbers = new Map<string, number>();

  /** Returns `name`, with a number appended if it is taken. `extension` includes its dot. Ignores case. */
  reserve(name: string, extension = ""): string {
    const first = toKey(`${name}${extension}`);
    for (let number = (this.#numbers.get(first) ?? 0) + 1; ; number += 1) {
      const candidate = number === 1 ? `${name}${extension}` : `${name} (${number})${extension}`;
      const key = toKey(candidate);
      if (this.#taken.has(key)) continue;
      this.#numbers.set(first, number);
      this.#taken.add(key);
      return candidate;
    }
  }
}
