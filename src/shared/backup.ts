import * as z from "zod/mini";
import { actionItems } from "./action-item.ts";
import { areDistinct, contextText, moment, nonNegativeInt, storedText } from "./fields.ts";
import type { GlossaryTerm } from "./glossary.ts";
import {
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
  translationLanguages,
} from "./languages.ts";
import {
  type Lecture,
  lectureStatuses,
  lectureTitle,
  mark,
  speakerNames,
  titleSources,
  transcriptEntry,
  uuid,
} from "./lecture.ts";
import {
  citedTextMaxLength,
  excerptLength,
  lectureRowsMax,
  marksMax,
  questionMaxLength,
  questionPageSize,
  quizPageSize,
  summaryMaxLength,
  takesMax,
} from "./limits.ts";
import { questionKinds, questionScope } from "./question.ts";
import { quizQuestion } from "./quiz.ts";
import { recordedTake } from "./recorded-take.ts";
import type { Share } from "./share.ts";
import type { Slide, SlideKind } from "./slides.ts";

/**
 * What a backup is read from and restored with. A restored row gets an id that the caller has chosen; `toRestoredId` in
 * src/client says how, so that the same backup leads to the same ids.
 */

/** Characters of one of the texts without alignment, which only old lectures have. */
const unalignedTextMaxLength = 1_000_000;
/** Characters of an excerpt in UTF-16, which the database counts as code points. */
const storedExcerpt = storedText(2 * (excerptLength + 1));

/** A lecture without its rows, as `backups.lecture` returns it. */
const restoredLecture = z.object({
  id: uuid,
  title: lectureTitle,
  titleSource: z.enum(titleSources),
  status: z.enum(lectureStatuses),
  /** One that the user does not have, or has in the trash, is none. */
  folderId: z.nullable(uuid),
  createdAt: moment,
  updatedAt: moment,
  excerpt: storedExcerpt,
  translatedExcerpt: storedExcerpt,
  sourceLanguage: z.enum(sourceLanguages),
  targetLanguage: z.enum(targetLanguages),
  isTwoWay: z.boolean(),
  usedTime: nonNegativeInt,
  hasDemoText: z.boolean(),
  summary: z.nullable(storedText(summaryMaxLength)),
  context: z.nullable(contextText),
  speakerNames,
  /** Backups of before have none. */
  actionItems: z._default(actionItems, []),
  originalText: storedText(unalignedTextMaxLength),
  translatedText: storedText(unalignedTextMaxLength),
});

const haveDistinctIds = (items: readonly { id: string }[]) =>
  areDistinct(items.map(({ id }) => id));

/**
 * A lecture, or a part of one that is too long for one call. The parts come in order, the first with `from` 0; until the
 * last one is stored, the lecture is in no list. A part may be repeated.
 */
export const restoreLectureInput = z.object({
  lecture: restoredLecture,
  /** Index of the first of `entries` among all of the lecture. */
  from: nonNegativeInt.check(z.maximum(lectureRowsMax)),
  entries: z.array(transcriptEntry).check(
    z.maxLength(lectureRowsMax),
    z.refine(haveDistinctIds, "a row occurs twice"),
    z.refine(
      (rows) => areDistinct(rows.map(({ ordinal }) => `${ordinal}`)),
      "an ordinal occurs twice",
    ),
  ),
  marks: z
    .array(mark)
    .check(z.maxLength(marksMax), z.refine(haveDistinctIds, "a mark occurs twice")),
  takes: z
    .array(recordedTake)
    .check(z.maxLength(takesMax), z.refine(haveDistinctIds, "a take occurs twice")),
  isFirst: z.boolean(),
  isLast: z.boolean(),
});
export type RestoreLectureInput = z.infer<typeof restoreLectureInput>;

/** Characters of a statement or a quote of an answer. */
const statementMaxLength = 10_000;
/** Statements of an answer, and rows that one of them names. */
const statementsMax = 200;

const citedRow = z.object({
  lectureId: uuid,
  title: storedText(200),
  position: nonNegativeInt,
  startMs: nonNegativeInt,
  original: storedText(citedTextMaxLength),
  spokenIn: z.enum(spokenLanguages),
  translated: storedText(citedTextMaxLength),
  translatedInto: z.nullable(z.enum(translationLanguages)),
});
const citedRows = z.array(citedRow).check(z.maxLength(statementsMax));

/** Questions with their answers. Those that are stored already, or whose lecture or folder is not there, are left out. */
export const restoreQuestionsInput = z.object({
  questions: z
    .array(
      z.object({
        id: uuid,
        /** In the backup: it is stored already if the user has one of the two. */
        formerId: uuid,
        scope: questionScope,
        kind: z.enum(questionKinds),
        question: storedText(questionMaxLength).check(z.trim(), z.minLength(1)),
        follows: z.nullable(uuid),
        statements: z
          .array(
            z.object({
              text: storedText(statementMaxLength),
              quote: storedText(statementMaxLength),
              rows: citedRows,
            }),
          )
          .check(z.maxLength(statementsMax)),
        nearest: citedRows,
        answeredIn: z.enum(translationLanguages),
        createdAt: moment,
      }),
    )
    .check(z.minLength(1), z.maxLength(questionPageSize)),
});
export type RestoreQuestionsInput = z.infer<typeof restoreQuestionsInput>;

/**
 * Questions of the quiz, with what is known of how well they are remembered. Those that are stored already, and those
 * of a lecture that is not there or has enough, are left out.
 */
export const restoreQuizInput = z.object({
  questions: z
    .array(z.extend(quizQuestion, { formerId: uuid }))
    .check(z.minLength(1), z.maxLength(quizPageSize)),
});

/** The settings of an active share. Its link cannot be restored. */
export type ShareSettings = Pick<Share, "mode" | "mayCopy" | "showsSlides">;

/** What an account has space for. */
export interface Capacity {
  /** Of text. */
  bytes: number;
  lectures: number;
}

/** A slide, and the files with its pictures; null if it has none. */
export interface BackupSlide extends Slide {
  files: Record<SlideKind, string> | null;
}

/** What a restored lecture is made of. */
export interface BackupLecture extends Lecture {
  share: ShareSettings | null;
  /** Backups of before have none. */
  slides?: BackupSlide[];
}

/** A page of all terms of a user. */
export interface TermPage {
  items: GlossaryTerm[];
  nextCursor: string | null;
}
