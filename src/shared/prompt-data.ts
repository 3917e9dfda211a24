import type { TermPair } from "./glossary.ts";
import { getLanguageName, getTranslationTag, type TranslationLanguage } from "./languages.ts";

// What was said is data: it is in the user's message, between tags that it cannot open or close. Instructions
// are in the system message only.

const blockTags = [
  "words",
  "known_terms",
  "marks",
  "previous_context",
  "lecture_context",
  "agreed_terms",
  "previous_rows",
  "digest",
  "instructions",
  "question",
  "earlier_questions",
  "searched_words",
  "agreed_answer",
  "student",
  "slides",
] as const;

const reservedTags = new RegExp(`<(?=\\s*(?:/\\s*)?(?:text|${blockTags.join("|")})\\b)`, "gi");

/** Replaces the opening bracket of our tags, and unpaired surrogates, which some servers reject. One pass. */
export function escapeTags(content: string): string {
  return content.toWellFormed().replace(reservedTags, "‹");
}

/** `content` between tags, each on its own line; empty for blank content. */
export function createContextBlock(tag: (typeof blockTags)[number], content: string): string {
  return content.trim() === "" ? "" : `<${tag}>\n${escapeTags(content.trim())}\n</${tag}>`;
}

/** The text that the prompt is about. */
export const createTextBlock = (text: string): string => `<text>${escapeTags(text)}</text>`;

/** For a prompt that holds `createTermsBlock`. */
export const termsInstruction =
  "<agreed_terms>: terms of the text with their agreed translations. Use these translations for these terms, and inflect them as the sentence needs.";

/** `text` on one line. */
export const toLine = (text: string) => text.replaceAll(/\s+/gu, " ").trim();

/** A line with `term → translation` for each pair; empty without any. */
export const createTermsBlock = (terms: readonly TermPair[] = []): string =>
  createContextBlock(
    "agreed_terms",
    terms.map(({ source, target }) => `${toLine(source)} → ${toLine(target)}`).join("\n"),
  );

/** A prompt of lines with instructions and of blocks with data. What is false or empty is left out. */
export const joinPrompt = (
  system: readonly (string | false)[],
  user: readonly string[],
): { system: string; user: string } => ({
  system: system.filter((line) => line !== false).join("\n"),
  user: user.filter((block) => block !== "").join("\n\n"),
});

export const nameInEnglish = (language: TranslationLanguage): string =>
  getLanguageName(getTranslationTag(language), "en");
