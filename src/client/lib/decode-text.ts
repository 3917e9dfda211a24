import type { TextEncoding } from "./text-encodings.ts";

export interface DecodedText {
  /** Line ends are `\n`. */
  text: string;
  encoding: TextEncoding;
  /** Encodings in which the file is another text, the likely ones first. Empty where a mark or UTF-8 leaves no doubt. */
  others: readonly TextEncoding[];
  /** Whether another text is about as likely. */
  isUnsure: boolean;
}

/** Another text counts as likely with this share of the confidence in the first one. */
const likelyShare = 0.5;

/** By the byte order mark at the start of a text; without one it is UTF-8. */
function detectUnicode([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** UTF-8, or UTF-16 with a byte order mark; null for other encodings. Line ends become `\n`. */
export const decodeUnicode = (bytes: Uint8Array): string | null =>
  decode(bytes, detectUnicode(bytes));

/**
 * A text file in whichever encoding; null where it is no text. The detector is loaded only for what is not Unicode.
 * `chosen`: what a person has said.
 *
 * @throws if the detector cannot be loaded
 */
export async function decodeText(
  bytes: Uint8Array,
  chosen: TextEncoding | null = null,
): Promise<DecodedText | null> {
  const unicode = decodeUnicode(bytes);
  if (unicode !== null)
    return { text: unicode, encoding: detectUnicode(bytes), others: [], isUnsure: false };
  const { listGuesses } = await import("./detect-encoding.ts");
  const guesses = listGuesses(bytes).filter(({ encoding }) => decode(bytes, encoding) !== null);
  const [guess] = guesses;
  const encoding = chosen ?? guess?.encoding;
  const text = encoding === undefined ? null : decode(bytes, encoding);
  if (guess === undefined || encoding === undefined || text === null) return null;
  const others = guesses.filter((one) => decode(bytes, one.encoding) !== text);
  const isUnsure =
    chosen === null &&
    others.some(({ confidence }) => confidence >= guess.confidence * likelyShare);
  return { text, encoding, others: others.map((one) => one.encoding), isUnsure };
}

/** No text has them; a wrong encoding often does. */
const controls = /(?![\s\u0085])\p{Cc}/u;

function decode(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    const isText = encoding === "utf-8" ? !text.includes("\0") : !controls.test(text);
    return isText ? text.replace(/\r\n?/g, "\n") : null;
  } catch {
    return null;
  }
}
