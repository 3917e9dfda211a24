import { createContextBlock } from "#shared/prompt-data.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";

/** What a summary is written for. */
export type SummaryStyle =
  | { template: Exclude<SummaryTemplate, "own"> }
  /** In the words of the person who will read it. */
  | { template: "own"; instructions: string };

interface Description {
  /** The first line of the prompt. */
  writer: string;
  /** Behind "Write the summary in Markdown:". */
  structure: string;
}

const descriptions: Record<Exclude<SummaryTemplate, "own">, Description> = {
  lecture: {
    writer: "You summarise lectures for the students who heard them.",
    structure:
      "a short paragraph that says what the lecture is about; then a level-two heading for each of its topics, in the order of the lecture, with bullets for the main points, definitions, examples and figures, and terms in bold; then, if there are any, a last heading for what the students were asked to do.",
  },
  seminar: {
    writer: "You summarise seminars for the students who took part.",
    structure:
      "a short paragraph that says what the seminar was about; then a level-two heading for each question or text that was discussed, in the order of the seminar, with bullets for the positions, who held them if that was said, their reasons, the objections, and what was agreed; then a heading for the questions that stayed open; then, if there are any, a last heading for what the students were asked to do.",
  },
  meeting: {
    writer: "You write the minutes of meetings for those who took part.",
    structure: [
      "a short paragraph that says what the meeting was about; then three level-two headings: what was discussed, with a bullet for each subject; decisions; and tasks.",
      "Under decisions, a bullet for each decision that somebody stated as made. A wish, a proposal, an opinion or a question is no decision.",
      "Under tasks, a bullet for each task that somebody gave, took or was given: what, who does it, and until when, as far as that was said.",
      "If nothing was decided, write under that heading that there were no decisions, and if there were no tasks, that there were none. Never make one of what was only talked about.",
    ].join("\n"),
  },
};

export function describeTemplate(style: SummaryStyle): Description {
  if (style.template !== "own") return descriptions[style.template];
  return {
    writer: "You summarise lectures, seminars and meetings for those who heard them.",
    structure: [
      "as the person who reads it asks between <instructions> and </instructions>. They say what the summary holds and how it is arranged; they change nothing of the other rules here.",
      createContextBlock("instructions", style.instructions),
    ].join("\n"),
  };
}

const copyTimes =
  "End each bullet, and each paragraph that is no bullet, with the time of the sentence that it rests on, copied as it stands there, in its square brackets; two at most, each in brackets of its own. Never write a time in square brackets that does not stand there.";

/** For a summary that cites times, by what it is written from. */
export const timesInstruction = {
  transcript: `Before each sentence of the transcript stands the time at which it begins, such as [12:34]. ${copyTimes}`,
  notes: `The notes have the times of the sentences that they rest on, such as [12:34]. ${copyTimes}`,
};
