/** Characters of a short answer that are searched for an object: models exceed the length of its strings. */
const maxAnswerLength = 16_384;
/** Characters of a string that are read: more than are kept, and what models put around them. */
const maxStringLength = 1_200;

/** The JSON value in an answer that should be one object; null if it is broken. Undefined in an answer without an object. */
export function findObject(answer: string, maxLength = maxAnswerLength): unknown {
  const beginning = answer.slice(0, maxLength);
  const start = beginning.indexOf("{");
  if (start === -1) return undefined;
  try {
    return JSON.parse(beginning.slice(start, beginning.lastIndexOf("}") + 1));
  } catch {
    return null;
  }
}

/** `answer` on one line, without control characters, the quotation marks around it and the period at its end. */
export const toLine = (answer: string): string =>
  toOneLine(answer)
    .replace(/^[ "'“”„«»「」`]+/, "")
    .replace(/(?<![ "'“”«»「」`.。])[ "'“”«»「」`.。]+$/, "");

/** `answer` on one line, without control characters. */
export const toOneLine = (answer: string): string =>
  answer
    .slice(0, maxStringLength)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
