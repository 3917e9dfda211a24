import { sampleOpening } from "#shared/sample-lecture.ts";
import continuation from "./sample-lecture.json" with { type: "json" };

/** One word of the sample lecture with its punctuation and its speaker (0: the lecturer, 1: a student). */
export interface SampleWord {
  text: string;
  speaker: number;
}

/** The stand-in's transcript of any voice: the words of the sample lecture in order. */
export const sampleWords: readonly SampleWord[] = [
  ...sampleOpening.map(({ speaker, original }) => ({ speaker, text: original })),
  ...continuation,
].flatMap(({ speaker, text }) => text.split(" ").map((word) => ({ text: word, speaker })));
