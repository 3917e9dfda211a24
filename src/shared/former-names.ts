import type { SharedRow } from "./share.ts";

/**
 * The names of the version before: `english` for what is called `original`, and its languages. Pages of that version
 * that are still open, other callers, and what it has stored on devices go on working. The next release removes this
 * file and its uses.
 *
 * Calls are accepted in both names. Answers have one: the former, unless the caller says that it knows the present one
 * (`namesHeader`, `namesParam`), because a lecture's rows are long.
 */

/** The value of `namesHeader` and `namesParam`. */
export const presentNames = "original";
const formerName = "english";

/** What a lecture of that version lacks. */
export const formerPair = { sourceLanguage: "en", isTwoWay: false } as const;

/** A choice of text that was stored, in the present names. */
export const toPresentName = <T>(name: T): T | typeof presentNames =>
  name === formerName ? presentNames : name;

/** A row in the present names, whichever it has. */
export function toPresentRow<T>(row: T): T {
  if (typeof row !== "object" || row === null || !(formerName in row) || presentNames in row)
    return row;
  const { [formerName]: original, ...others } = row;
  return { ...others, original } as T;
}

/** What leads to rows in an answer: of `lectures.get`, of `lectures.search`, and of a share. */
const path = /^(?:entries|combinedContent|results|hit|rows)$/;

/** An answer, or a message to a share's reader, in the former names. */
export function toFormerNames<T>(answer: T): T;
export function toFormerNames(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((part: unknown) => toFormerNames(part));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      if (name === presentNames) return [formerName, value];
      return [name, path.test(name) ? toFormerNames(value) : value];
    }),
  );
}

/** A row of a share, as the rooms of that version have stored its fingerprint. */
export const toFormerRow = ({
  position,
  original,
  speaker,
  startMs,
  endMs,
}: SharedRow): object => ({ position, [formerName]: original, speaker, startMs, endMs });

/** That version's parser refuses a lecture with another language. */
const formerLanguages = ["es", "zh", "zh-cn", "fr", "de", "ru", "hi", "ja", "ko", "ar"];

/** A message to a share's reader for the version before. Translations into other languages are shown as none. */
export function toFormerMessage<T extends object>(message: T): T;
export function toFormerMessage(message: {
  lecture?: { languages: string[]; targetLanguage: string };
}): object {
  const { lecture, ...others } = toFormerNames(message);
  const isKnown = (language: string) => formerLanguages.includes(language);
  return {
    ...others,
    ...(lecture && {
      lecture: {
        ...lecture,
        languages: lecture.languages.filter(isKnown),
        targetLanguage: isKnown(lecture.targetLanguage) ? lecture.targetLanguage : "none",
      },
    }),
  };
}
