import type { getTextLanguage } from "#shared/languages.ts";

/** Language (BCP 47) and direction of a text in a file. */
export type TextLanguage = Pick<ReturnType<typeof getTextLanguage>, "lang" | "dir">;

const firstLetter = /\p{L}/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The direction that a program gives to a text whose language it does not know: that of its first letter. */
export const detectDirection = (text: string): TextLanguage["dir"] =>
  rightToLeft.test(firstLetter.exec(text)?.[0] ?? "") ? "rtl" : "ltr";

const marks = { ltr: "\u200e", rtl: "\u200f" };

/**
 * A line of a file without styles, with a direction mark before it where it begins with a letter of another direction,
 * such as a name: editors, Markdown and WebVTT (`unicode-bidi: plaintext`) go by the first one.
 */
export const markDirection = (line: string, { lang, dir }: TextLanguage): string =>
  lang === "und" || detectDirection(line) === dir ? line : marks[dir] + line;

/** A line of SubRip. Its players take lines as left-to-right unless right-to-left text is embedded (U+202B, U+202C). */
export const embedDirection = (line: string, { dir }: TextLanguage): string =>
  dir === "rtl" ? `\u202b${line}\u202c` : line;
