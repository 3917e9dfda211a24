import type { InterfaceLanguage } from "#client/i18n/bundle.ts";

/** The name that the person has given to `speaker`. */
export const findSpeakerName = (
  names: Readonly<Record<string, string>>,
  speaker: string,
): string | undefined => (Object.hasOwn(names, speaker) ? names[speaker] : undefined);

/** Text of several lines, without what `oneLine` leaves out. */
export const dropControls = (text: string): string =>
  text.replace(/(?![\n\t])\p{Cc}/gu, "").toWellFormed();

/** Text in one line, without control characters and lone surrogates, which file formats cannot hold. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, " ")
    .trim()
    .toWellFormed();

/** A size in MB, such as `12 MB`; with one decimal below 10. */
export function formatSize(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return `${megabytes < 10 ? Math.max(0.1, megabytes).toFixed(1) : Math.round(megabytes)} MB`;
}

/** A number with exactly `decimals` decimals: `1,234.50`. */
export const formatNumber = (value: number, language: InterfaceLanguage, decimals = 0): string =>
  // Alike in both languages. The browser's own tables take a phone 100 ms when they are first used.
  Math.abs(value) < 999
    ? value.toFixed(decimals)
    : value.toLocaleString(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      });
