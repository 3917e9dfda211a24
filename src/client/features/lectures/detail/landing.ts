import type { Finder } from "../search/mark.ts";

/** Where in an opened lecture to land, and what was looked for. */
export type Landing =
  | { at: "row"; row: number; find: Finder }
  /** On the sentence that has the most words of the search. */
  | { at: "best"; find: Finder }
  | { at: "summary"; find: Finder };

/** Where sentences and lines end; the server cuts what it finds the same way. */
const ends = /\n+|(?<=[.!?])\s+|(?<=[。！？])/g;

interface Sentence {
  from: number;
  to: number;
}

/** The sentences and lines of `text`, by their UTF-16 units. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) sentences.push({ from, to });
  };
  for (const end of text.matchAll(ends)) {
    add(end.index);
    from = end.index + end[0].length;
  }
  add(text.length);
  return sentences;
}
