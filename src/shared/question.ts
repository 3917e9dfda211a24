import * as z from "zod/mini";
import { storedText } from "./fields.ts";
import {
  type SpokenLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "./languages.ts";
import { uuid } from "./lecture.ts";
import { questionMaxLength } from "./limits.ts";

/** Asked by a person in their own words, or one of those that the product asks of a lecture after the class. */
export const questionKinds = ["asked", "key_points", "open_questions"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** What is asked: a lecture, a folder with those in it, or with neither all lectures. */
export const questionScope = z
  .object({ lectureId: z.nullable(uuid), folderId: z.nullable(uuid) })
  .check(
    z.refine(({ lectureId, folderId }) => lectureId === null || folderId === null, "two scopes"),
  );
export type QuestionScope = z.infer<typeof questionScope>;

/** The browser chooses `id`, so that an answer that breaks off can be asked for again. */
export const askInput = z.object({
  id: uuid,
  scope: questionScope,
  kind: z.enum(questionKinds),
  /** In the person's words; of the other kinds the product's. */
  question: storedText(questionMaxLength).check(z.trim(), z.minLength(1)),
  /** The question before, of the same scope, that this one follows up; null for a new one. */
  follows: z.nullable(uuid),
  /** The language of the answer. */
  answerIn: z.enum(translationLanguages),
});
export type AskInput = z.infer<typeof askInput>;

/** A row that an answer names. Texts are as they were then, cut to `citedTextMaxLength`. */
export interface CitedRow {
  lectureId: string;
  /** The lecture's title; empty where the question is about one lecture. */
  title: string;
  /** Rows may move: `startMs` finds the row where rows have times. */
  position: number;
  /** On the lecture's clock. */
  startMs: number;
  original: string;
  spokenIn: SpokenLanguage;
  /** Empty without one. */
  translated: string;
  translatedInto: TranslationLanguage | null;
}

/** One line of an answer, with the rows that it rests on: at least one. */
export interface Statement {
  text: string;
  rows: CitedRow[];
  /** Words of one of the rows; may be empty. */
  quote: string;
}

/** A question with its answer, as it is kept. */
export interface Question {
  id: string;
  scope: QuestionScope;
  kind: QuestionKind;
  question: string;
  follows: string | null;
  /** Empty: it was not said. */
  statements: Statement[];
  /** Without statements: the rows that come nearest to the question. */
  nearest: CitedRow[];
  answeredIn: TranslationLanguage;
  /** ISO 8601. */
  createdAt: string;
}

/** What is sent while a question is answered. */
export type AnswerEvent =
  /** The model has asked for other words to be searched for. */
  | { kind: "search"; words: string }
  /** A statement begins, whose rows are checked; its text follows in pieces, and then its end. */
  | { kind: "begin"; rows: CitedRow[]; quote: string }
  | { kind: "text"; text: string }
  | { kind: "end" }
  /** The statement that was begun is withdrawn. */
  | { kind: "drop" }
  /** Nothing of it was said. Ends the answer. */
  | { kind: "not_said"; nearest: CitedRow[] };
