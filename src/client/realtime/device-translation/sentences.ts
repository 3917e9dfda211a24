import { findCut } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { findSentences } from "#shared/sentences.ts";

/** Cuts text for a translation model, and finds its best known fault in what it returns. */

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

const groupMaxLength = 8;
const repeatsAtLeast = 4;

/** True if a group of tokens follows itself more often in `output` than anything does in `input`. */
export function isRepetitive(output: readonly number[], input: readonly number[]): boolean {
  const repeats = countRepeats(output);
  return repeats >= repeatsAtLeast && repeats > countRepeats(input) + 1;
}

/** How often, at most, a group of up to eight tokens stands there without anything between. */
function countRepeats(tokens: readonly number[]): number {
  let most = tokens.length === 0 ? 0 : 1;
  for (let size = 1; size <= groupMaxLength; size++) {
    let same = 0;
    for (let index = size; index < tokens.length; index++) {
      same = tokens[index] === tokens[index - size] ? same + 1 : 0;
      most = Math.max(most, Math.floor(same / size) + 1);
    }
  }
  return most;
}
