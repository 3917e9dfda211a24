import type { InterfaceLanguage } from "#client/i18n/bundle.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import {
  getTextLanguage,
  getTranslationTag,
  isTranslationLanguage,
  type LanguagePair,
  toSpokenLanguage,
  unknownTextLanguage,
} from "#shared/languages.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { autoTitleLength, excerptLength } from "#shared/limits.ts";

/** `text`, or its first `maxLength` characters, ended at a word where there is one, and an ellipsis. */
function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text.trim());
  if (characters.length <= maxLength) return characters.join("");
  const start = characters.slice(0, maxLength).join("");
  return `${start.replace(/\s+[^\s]*$/, "") || start}…`;
}

/**
 * What a list calls a lecture: its name; without one the beginning of its text. Empty without either. A draft's
 * date is no name: the list shows it anyway.
 */
export const getListTitle = (
  lecture: Pick<LectureListItem, "title" | "titleSource" | "excerpt">,
): string =>
  lecture.titleSource === "date" ? shorten(lecture.excerpt, autoTitleLength) : lecture.title;

/** What a draft without a name is called: `Nov 20, 2026 9:02 AM`, in Chinese `2026年11月20日 09:02`. */
export const formatDateTitle = (createdAt: string, language: InterfaceLanguage): string =>
  `${formatDay(createdAt, language)} ${formatTime(createdAt, language)}`;

/** What a lecture's page and its files call it: its name; a draft without one by its date and time. */
export const getPageTitle = (
  lecture: Pick<LectureListItem, "title" | "titleSource" | "createdAt">,
  language: InterfaceLanguage,
): string =>
  lecture.titleSource === "date" ? formatDateTitle(lecture.createdAt, language) : lecture.title;

/**
 * The beginning of the lecture in the reader's language, if it was translated into that, else as it was spoken: `lang` is
 * empty where that may be in several languages.
 */
export function getExcerpt(
  lecture: Pick<LectureListItem, "excerpt" | "translatedExcerpt" | keyof LanguagePair>,
  reader: InterfaceLanguage,
): { text: string; lang: string; dir: "ltr" | "rtl" | "auto"; translate: "no" } {
  const { sourceLanguage, targetLanguage: target, isTwoWay, translatedExcerpt } = lecture;
  const isReaders = isTranslationLanguage(target) && toSpokenLanguage(target) === reader;
  if (isReaders && !isTwoWay && translatedExcerpt !== "")
    return {
      text: shortenExcerpt(translatedExcerpt),
      ...getTextLanguage(getTranslationTag(target)),
    };
  const text = shortenExcerpt(lecture.excerpt);
  if (isTwoWay || sourceLanguage === "detect") return { text, ...unknownTextLanguage };
  return { text, ...getTextLanguage(sourceLanguage) };
}

/** Chinese has no spaces between sentences; the stored beginning has them between rows. */
const joinSentences = (text: string) => text.replace(/([。！？”])\s+/g, "$1");

function shortenExcerpt(text: string): string {
  const characters = Array.from(text);
  const start = characters.slice(0, excerptLength).join("").trim();
  return joinSentences(characters.length > excerptLength ? `${start}…` : start);
}
