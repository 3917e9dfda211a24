import * as z from "zod/mini";
import { moment, nonNegativeInt, storedText } from "./fields.ts";
import { type TranslationLanguage, translationLanguages } from "./languages.ts";
import { uuid } from "./lecture.ts";
import {
  quizAnswerMaxLength,
  quizCardAnswerMaxLength,
  quizChoicesMax,
  quizIdsPerCallMax,
  quizPromptMaxLength,
  quizRowsMax,
  quizSentenceMaxLength,
} from "./limits.ts";

/**
 * Questions of a quiz: one of several choices, a gap in a sentence, or an answer in a few words; and flashcards, whose answer the
 * person compares. All of them rest on sentences of one lecture.
 */
export const quizKinds = ["choice", "cloze", "short", "card"] as const;
export type QuizKind = (typeof quizKinds)[number];

/** In place of what is asked for in the sentence of a `cloze`. */
export const clozeGap = "____";

/** A sentence that a question rests on, in the question's language, as it was when the question was written. */
const quizRow = z.object({
  /** The row's id. */
  id: uuid,
  /** The row's ordinal. */
  position: nonNegativeInt,
  /** On the lecture's clock. */
  startMs: nonNegativeInt,
  text: storedText(quizSentenceMaxLength),
});
export type QuizRow = z.infer<typeof quizRow>;

/** A time from which a hundred years can be counted. */
const scheduleTime = moment.check(
  z.refine((text) => Date.parse(text) < Date.UTC(3000), "after the year 2999"),
);
const count = z.int().check(z.nonnegative(), z.maximum(1_000_000));

/** What FSRS knows of how well a question is remembered. The bounds are those of ts-fsrs, which refuses others. */
const quizMemory = z.object({
  /** 1: it is learned, 2: it is reviewed, 3: it is learned again. */
  state: z.int().check(z.minimum(1), z.maximum(3)),
  /** Days until it is remembered with a probability of 90 %. */
  stability: z.number().check(z.minimum(0.001), z.maximum(36_500)),
  difficulty: z.number().check(z.minimum(1), z.maximum(10)),
  /** From the last review to the next one. */
  days: z.number().check(z.nonnegative(), z.maximum(40_000)),
  step: count,
  reviews: count,
  /** Times that it was forgotten. */
  lapses: count,
  /** ISO 8601. */
  reviewedAt: scheduleTime,
});
export type QuizMemory = z.infer<typeof quizMemory>;

const choiceText = storedText(quizAnswerMaxLength).check(z.trim(), z.minLength(1));
const promptText = storedText(quizPromptMaxLength).check(z.trim(), z.minLength(1));
const answerText = storedText(quizCardAnswerMaxLength).check(z.trim(), z.minLength(1));

const fields = {
  id: uuid,
  lectureId: uuid,
  kind: z.enum(quizKinds),
  /** Of a `cloze` the sentence with `clozeGap`. */
  prompt: promptText,
  /** Of a `choice`, the answer among them; else empty. */
  choices: z.array(choiceText).check(z.maxLength(quizChoicesMax)),
  /** A part of one of the sentences, except that of a `card`. */
  answer: answerText,
  rows: z.array(quizRow).check(z.minLength(1), z.maxLength(quizRowsMax)),
  /** Of the question, the answer and the sentences; of a `card` of its sentence. */
  language: z.enum(translationLanguages),
  /** Null before the first answer. */
  memory: z.nullable(quizMemory),
  /** When it is asked next. */
  dueAt: scheduleTime,
  createdAt: scheduleTime,
};
export const quizQuestion = z.object(fields);
export type QuizQuestion = z.infer<typeof quizQuestion>;

/** A page of questions, those that are due first at its beginning. */
export interface QuizPage {
  items: QuizQuestion[];
  nextCursor: string | null;
  /** Of all pages. */
  total: number;
  due: number;
}

/** How a question was answered. */
const quizRatings = ["again", "good"] as const;
export type QuizRating = (typeof quizRatings)[number];

/** The browser chooses `id`, so that a review that is sent again counts once. */
const quizReview = z.object({
  id: uuid,
  questionId: uuid,
  rating: z.enum(quizRatings),
  answeredAt: scheduleTime,
});
export type QuizReview = z.infer<typeof quizReview>;

export const quizReviews = z
  .array(quizReview)
  .check(z.minLength(1), z.maxLength(quizIdsPerCallMax));

/** Flashcards of a lecture, each with the row that it comes from, that are to be asked as well. */
export const quizCards = z.object({
  lectureId: uuid,
  cards: z
    .array(z.object({ id: uuid, rowId: uuid, prompt: promptText, answer: answerText }))
    .check(z.minLength(1), z.maxLength(quizIdsPerCallMax)),
});
export type QuizCards = z.infer<typeof quizCards>;

/** How far the model is with the questions on a lecture. Sent for each question that it writes, and at the end. */
export interface QuizProgress {
  /** Questions that are checked. */
  written: number;
  /** Those that do not rest on the lecture's sentences, or are no questions. */
  leftOut: number;
  /** All of `written` are stored. */
  isStored: boolean;
}

/** A lecture with the number of its questions. */
export interface QuizLecture {
  id: string;
  title: string;
  questions: number;
  /** The languages in which questions can be written: the one that is spoken first. */
  languages: TranslationLanguage[];
}
