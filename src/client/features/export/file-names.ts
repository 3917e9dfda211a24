/** Of a file system's 255 bytes: enough for an ending, a number, and a path of some depth. */
const nameMaxBytes = 120;

/** Names that Windows keeps for devices, with any ending. */
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

/** `name` as Windows, macOS and Linux take it; `fallback` where nothing of it can be used. */
export function toSafeName(name: string, fallback: string): string {
  const clean = name
    .toWellFormed()
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no system takes them
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
    // Marks that turn the direction of a name may hide its ending.
    .replace(/[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "")
    .replace(/[<>:"/\\|?*]/g, "-")
    .replace(/\s+/g, " ");
  // Windows drops points and spaces at the end; a point at the beginning hides a file.
  const trimmed = truncateToBytes(clean.replace(/^[. ]+/, ""), nameMaxBytes).replace(/[. ]+$/, "");
  if (trimmed === "") return fallback;
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed;
}

export class UniqueNames {
  readonly #taken = new Set<string>();

  /** `name`, or with a number behind it where that is taken; `ending` has its point. */
  reserve(name: string, ending = ""): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? `${name}${ending}` : `${name} (${number})${ending}`;
      const key = candidate.normalize("NFKC").toLowerCase().toUpperCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}
