import * as z from "zod/mini";
import { type ActionItem, actionItems } from "./action-item.ts";
import { areDistinct, contextText, moment, nonNegativeInt, storedText } from "./fields.ts";
import {
  type LanguagePair,
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
  translationLanguages,
} from "./languages.ts";
import {
  authorNameMaxLength,
  entryTextMaxLength,
  formulaTexMaxLength,
  formulaWordsMaxLength,
  lectureRowsMax,
  marksPerChangeMax,
  noteMaxLength,
  rowFormulasMax,
  speakerLabelMaxLength,
  speakerNameMaxLength,
  speakerNamesMax,
  summaryMaxLength,
} from "./limits.ts";
import type { LectureAccess } from "./people.ts";
import { isPlainTex } from "./plain-tex.ts";
import type { RecordedTake } from "./recorded-take.ts";

export const lectureStatuses = ["draft", "completed"] as const;
type LectureStatus = (typeof lectureStatuses)[number];

/** Where a title comes from: the time at which the draft was created, a model's proposal, or the person. */
export const titleSources = ["date", "proposed", "person"] as const;
export type TitleSource = (typeof titleSources)[number];

export const uuid = z.uuid();

/** Who wrote a text last, unless that is the caller: in answers. In a write it is left out of account. */
const author = z.exactOptional(storedText(authorNameMaxLength));

/** Highest position or ordinal in a request. Far below the integer limit. */
export const entryPositionMax = 1_000_000;

/** See `RowFormula`. */
export const rowFormula = z.object({
  words: storedText(formulaWordsMaxLength).check(z.minLength(1)),
  tex: storedText(formulaTexMaxLength).check(z.refine(isPlainTex, "not plain LaTeX")),
});

/**
 * One row of a transcript. The browser chooses `id` when a sentence ends; it never changes. Rows are in the order of
 * `startMs`, then of `ordinal`. `startMs` and `endMs` are times on the lecture's clock.
 */
export const transcriptEntry = z
  .object({
    /** Unique within the lecture. */
    id: uuid,
    /**
     * The lecture's `seq` with which the row was written. In a write, that of the version that it changes; 0: a new row.
     */
    seq: nonNegativeInt,
    /**
     * Its number among the lecture's rows, for the order of rows that begin at the same time. Chosen for a new row; one that
     * another row has is replaced by the next free one. It never changes.
     */
    ordinal: nonNegativeInt.check(z.maximum(entryPositionMax)),
    original: storedText(entryTextMaxLength),
    /** A person has corrected `original`. */
    originalByHand: z.boolean(),
    /** Language of `original`. */
    spokenIn: z.enum(spokenLanguages),
    translated: storedText(entryTextMaxLength),
    /**
     * Language of `translated`; if that is empty, the language of a translation that is still missing. Null
     * for no translation, and in old rows, whose translation is in the lecture's target language.
     */
    translatedInto: z.nullable(z.enum(translationLanguages)),
    /** The user wrote the translation: translating again into the same language does not replace it. */
    translatedByHand: z.boolean(),
    speaker: z.nullable(storedText(speakerLabelMaxLength)),
    startMs: nonNegativeInt,
    endMs: nonNegativeInt,
    /**
     * Formulas that are said in `original`, in its order; those whose words it does not have are left out. In a write,
     * missing: as they are stored, if `original` stays the same.
     */
    formulas: z.exactOptional(z.array(rowFormula).check(z.maxLength(rowFormulasMax))),
    author,
  })
  .check(z.refine((entry) => entry.endMs >= entry.startMs, "endMs lies before startMs"));
export type TranscriptEntry = z.infer<typeof transcriptEntry>;

/** A row, and the version of it that the caller knows. */
const rowVersion = z.object({ id: uuid, seq: nonNegativeInt });
export type RowVersion = z.infer<typeof rowVersion>;

/**
 * Writes `entries` and deletes rows, all or nothing as far as space is concerned. Of a row that has changed after its `seq`,
 * nothing is written or deleted; see `SavedRows`. Repeating a call changes nothing.
 */
export const saveRowsInput = z
  .object({
    lectureId: uuid,
    entries: z.array(transcriptEntry).check(z.maxLength(lectureRowsMax)),
    deleted: z.array(rowVersion).check(z.maxLength(lectureRowsMax)),
  })
  .check(
    z.refine(({ entries, deleted }) => entries.length + deleted.length > 0, "nothing to save"),
    z.refine(
      ({ entries, deleted }) => areDistinct([...entries, ...deleted].map(({ id }) => id)),
      "a row occurs twice",
    ),
  );
export type SaveRowsInput = z.infer<typeof saveRowsInput>;

/** What has become of `saveRows`. */
export interface SavedRows {
  /** The `seq` of the rows that were written. */
  seq: number;
  /** Those that were not, because another tab or device has changed them, as they are stored. */
  changed: TranscriptEntry[];
  /**
   * Those that were not, because another tab or device has deleted them. Written with at least this `seq`, they come back.
   */
  deletedIds: string[];
  /** New rows whose ordinal another row had, by id, with the one that they got. */
  ordinals: Record<string, number>;
}

/** A marked sentence, with or without a note. The browser chooses `id`, which is unique within the lecture. */
export const mark = z.object({
  id: uuid,
  /** A time in the sentence, on the lecture's clock. Rows may move, times do not. */
  atMs: nonNegativeInt,
  /** The row's position in a lecture without times; otherwise null. */
  position: z.nullable(nonNegativeInt.check(z.maximum(entryPositionMax))),
  /** Empty for a mark without a note. */
  note: storedText(noteMaxLength),
  author,
});
export type Mark = z.infer<typeof mark>;

/** Stores `marks` in place of those with the same ids, and deletes others. Repeating it changes nothing. */
export const changeMarksInput = z
  .object({
    lectureId: uuid,
    marks: z.array(mark).check(z.maxLength(marksPerChangeMax)),
    deletedIds: z.array(uuid).check(z.maxLength(marksPerChangeMax)),
  })
  .check(
    z.refine(
      ({ marks, deletedIds }) => areDistinct([...marks.map(({ id }) => id), ...deletedIds]),
      "a mark occurs twice",
    ),
  );
export type ChangeMarksInput = z.infer<typeof changeMarksInput>;

export const lectureTitle = storedText(200).check(z.trim(), z.minLength(1));

/** Set when the demo voice writes into the lecture. No call can remove it. */
const hasDemoText = z.exactOptional(z.literal(true));

/** The browser chooses `id`, so that a repeated call creates one lecture. */
export const createLectureInput = z.object({
  id: uuid,
  title: lectureTitle,
  /** Missing: the person's. */
  titleSource: z.exactOptional(z.enum(titleSources)),
  sourceLanguage: z.exactOptional(z.enum(sourceLanguages)),
  isTwoWay: z.exactOptional(z.boolean()),
  targetLanguage: z.enum(targetLanguages),
  /** One that is gone is none. */
  folderId: z.exactOptional(uuid),
  hasDemoText,
  /** When the sound of a file was recorded. Missing: now. */
  recordedAt: z.exactOptional(moment),
});

/** Maps the speaker label in the rows to the name that the user has given. */
export const speakerNames = z
  .record(
    storedText(speakerLabelMaxLength).check(z.minLength(1)),
    storedText(speakerNameMaxLength).check(z.trim(), z.minLength(1)),
  )
  .check(z.refine((names) => Object.keys(names).length <= speakerNamesMax, "too many speakers"));

/** Changed fields of a lecture; a missing field stays as it is. */
export const changeLectureInput = z
  .object({
    id: uuid,
    sourceLanguage: z.exactOptional(z.enum(sourceLanguages)),
    targetLanguage: z.exactOptional(z.enum(targetLanguages)),
    isTwoWay: z.exactOptional(z.boolean()),
    summary: z.exactOptional(z.nullable(storedText(summaryMaxLength))),
    context: z.exactOptional(z.nullable(contextText)),
    /** Replaces all names: a missing speaker has no name. */
    speakerNames: z.exactOptional(speakerNames),
    /** Replaces all of them. */
    actionItems: z.exactOptional(actionItems),
    hasDemoText,
  })
  .check(z.refine((input) => Object.keys(input).length > 1, "nothing to change"));

/** A row of the lecture list, without the lecture's texts. */
export interface LectureListItem extends LanguagePair {
  id: string;
  title: string;
  titleSource: TitleSource;
  status: LectureStatus;
  folderId: string | null;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** First characters of the original: 150, and one more if the text is longer. */
  excerpt: string;
  /** The beginning of the translation into `targetLanguage`, of the same length; empty without one. */
  translatedExcerpt: string;
  /** Recorded seconds. */
  usedTime: number;
  /** Parts of the text are the demo voice's, so nobody said them. */
  hasDemoText: boolean;
}

/** What a lecture's head shows. `folderId` null: it is in no folder. */
export type LectureInfo = Pick<
  LectureListItem,
  "id" | "title" | "titleSource" | "status" | "folderId" | "createdAt"
>;

/** What a lecture is called in lists. `isDeleted`: it is in the trash and can be restored. */
export interface StoredLectureName {
  id: string;
  title: string;
  isDeleted: boolean;
}

/** A lecture with its texts. */
export interface Lecture extends LectureListItem {
  summary: string | null;
  context: string | null;
  /** Maps the speaker label in `entries` to the name that the user has given. */
  speakerNames: Record<string, string>;
  /** Who is to do what until when, in the lecture's order. */
  actionItems: ActionItem[];
  /** Texts without alignment, for lectures without entries. */
  originalText: string;
  translatedText: string;
  /** In order. */
  entries: TranscriptEntry[];
  /** Incremented by each write that changes a row. */
  seq: number;
  /** In no meaningful order. */
  marks: Mark[];
  /** In the order in which they began. */
  takes: RecordedTake[];
  /** Of another person's lecture, which has no summary, Context, action items and folder here. */
  access?: LectureAccess;
}

/** A row with only its texts and speaker, as in `LecturePage.combinedContent`. */
interface CombinedEntry {
  original: string;
  translated: string;
  speaker?: string;
}

/**
 * Response of `lectures.get`: a lecture with as many entries as fit into one response, from the beginning or
 * from `cursor`. Three hours of speech fit into one. `originalText` and `translatedText` hold a line for each
 * of these entries, and `combinedContent` the entries themselves; the caller joins those of several
 * responses. With `texts: false` they are left out.
 */
export interface LecturePage extends Omit<Lecture, "marks" | "takes"> {
  combinedContent?: CombinedEntry[];
  /** Cursor of the next response; null in the last one. */
  nextCursor: number | null;
  /** Of an answer to `since`: rows that were deleted since then. Missing: `entries` are all rows. */
  deletedIds?: string[];
}
