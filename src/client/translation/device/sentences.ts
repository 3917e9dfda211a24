import { findCut } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { findSentences } from "#shared/sentences.ts";

/** Cuts text for a translation model. */

/** A model has at most 512 places for tokens, and a token has at least one character. */
const sentenceMaxLength = 480;

/** The sentences of a text, each short enough for a model; longer ones are cut between words. */
export const splitSentences = (text: string, language: SpokenLanguage): string[] =>
  findSentences(text, language).flatMap(({ from, to }) => cutSentence(text.slice(from, to)));

function cutSentence(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > sentenceMaxLength) {
    const start = rest.slice(0, sentenceMaxLength);
    const comma = Math.max(...[", ", "، ", "，", "、"].map((mark) => start.lastIndexOf(mark))) + 1;
    const space = comma > 0 ? comma : start.lastIndexOf(" ");
    const end = space > 0 ? space : findCut(rest, sentenceMaxLength);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...parts, rest].filter((part) => part !== "");
}
