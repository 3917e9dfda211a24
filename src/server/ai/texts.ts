import * as z from "zod/mini";
import { repairEscapes } from "#shared/json-escapes.ts";
import { defaultSourceLanguage, spokenLanguages } from "#shared/languages.ts";
import { translateTextMaxLength } from "#shared/limits.ts";
import { removeThoughts } from "./thoughts.ts";

/** What several calls of the model take, and what they read from its answers. */

export const spokenText = z.string().check(z.trim(), z.minLength(1));
/** A sentence that was said, or its translation. */
export const sentenceText = spokenText.check(z.maxLength(translateTextMaxLength));
/** Pages of the version before send none. */
export const spokenIn = z._default(z.enum(spokenLanguages), defaultSourceLanguage);

/** Characters of a short answer that are searched for an object: models exceed the length of its strings. */
const maxAnswerLength = 16_384;
/** Characters of a string that are read: more than are kept, and what models put around them. */
const maxStringLength = 1_200;

/** The JSON value in an answer that should be one object; null if it is broken. Undefined in an answer without an object. */
export function findObject(answer: string, maxLength = maxAnswerLength): unknown {
  const beginning = removeThoughts(answer).slice(0, maxLength);
  const start = beginning.indexOf("{");
  if (start === -1) return undefined;
  try {
    return JSON.parse(repairEscapes(beginning.slice(start, beginning.lastIndexOf("}") + 1)));
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
