import * as z from "zod/mini";
import { targetLanguages, translationLanguages } from "./languages.ts";
import {
  contextMaxLength,
  entriesPerAppendMax,
  entryTextMaxLength,
  speakerLabelMaxLength,
  speakerNameMaxLength,
  speakerNamesMax,
  summaryMaxLength,
} from "./limits.ts";
import { storedText } from "./stored-text.ts";

export const lectureStatuses = ["draft", "completed"] as const;
type LectureStatus = (typeof lectureStatuses)[number];

export const uuid = z.uuid();

/** As large as Postgres keeps an integer; as milliseconds, 24 days. */
const nonNegativeInt = z.int32().check(z.nonnegative());

/** The last place of a row. What fits behind it must have a number too. */
export const entryPositionMax = 1_000_000;

/**
 * One row of a transcript.
 *
 * `startMs` and `endMs` are on the recording's clock. `revision` counts the changes to this row
 * (0: the English is final; then its translation; then corrections): of two writes to one position
 * the one with the higher revision stays, whatever order they arrive in.
 */
const transcriptEntry = z
  .object({
    english: storedText(entryTextMaxLength),
    translated: storedText(entryTextMaxLength),
    /**
     * Language of `translated`, or, where that is empty, of a translation that is still to be made; null
     * where there is none. Old rows have null and the lecture's own.
     */
    translatedInto: z.nullable(z.enum(translationLanguages)),
    /** Written by a person: translating again into the same language leaves it alone. */
    translatedByHand: z.boolean(),
    speaker: z.nullable(storedText(speakerLabelMaxLength)),
    startMs: nonNegativeInt,
    endMs: nonNegativeInt,
    revision: nonNegativeInt,
  })
  .check(z.refine((entry) => entry.endMs >= entry.startMs, "endMs lies before startMs"));
export type TranscriptEntry = z.infer<typeof transcriptEntry>;

/**
 * `entries[i]` goes to position `from + i`. A gap before `from` is refused with `entries_gap`. With
 * `insert`, rows from `from` on that begin after all of `entries` move behind them.
 */
export const appendEntriesInput = z.object({
  lectureId: uuid,
  from: nonNegativeInt.check(z.maximum(entryPositionMax)),
  entries: z.array(transcriptEntry).check(z.minLength(1), z.maxLength(entriesPerAppendMax)),
  insert: z.optional(z.boolean()),
});
export type AppendEntriesInput = z.infer<typeof appendEntriesInput>;

export const lectureTitle = storedText(200).check(z.trim(), z.minLength(1));

/** `id` is chosen by the browser, so that a repeated call makes one lecture. */
export const createLectureInput = z.object({
  id: uuid,
  title: lectureTitle,
  targetLanguage: z.enum(targetLanguages),
});

/** Speaker as the rows carry it → the name that a person gave. */
const speakerNames = z
  .record(
    storedText(speakerLabelMaxLength).check(z.minLength(1)),
    storedText(speakerNameMaxLength).check(z.trim(), z.minLength(1)),
  )
  .check(z.refine((names) => Object.keys(names).length <= speakerNamesMax, "too many speakers"));

/** What of a lecture is saved as it changes; a field that is left out stays as it is. */
export const changeLectureInput = z
  .object({
    id: uuid,
    targetLanguage: z.exactOptional(z.enum(targetLanguages)),
    summary: z.exactOptional(z.nullable(storedText(summaryMaxLength))),
    context: z.exactOptional(z.nullable(storedText(contextMaxLength))),
    /** All of them: a speaker that is left out has no name. */
    speakerNames: z.exactOptional(speakerNames),
  })
  .check(z.refine((input) => Object.keys(input).length > 1, "nothing to change"));

/** A row of the lecture list. Bodies are never in it. */
export interface LectureListItem {
  id: string;
  title: string;
  status: LectureStatus;
  folderId: string | null;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** First characters of the English text; at most 151, so that the reader knows whether more follows. */
  preview: string;
  /** Recorded seconds. */
  usedTime: number;
}

/** A lecture as it is opened. */
export interface Lecture extends LectureListItem {
  targetLanguage: (typeof targetLanguages)[number];
  summary: string | null;
  context: string | null;
  /** Speaker as `entries` carry it → the name that a person gave. */
  speakerNames: Record<string, string>;
  /** Texts without alignment, for lectures that have no entries (imported, for example). */
  originalText: string;
  translatedText: string;
  entries: TranscriptEntry[];
}

/** A row of a transcript as the specification's `combined_content` has it. */
interface CombinedEntry {
  english: string;
  translated: string;
  speaker?: string;
}

/**
 * What `lectures.get` answers: a lecture with as many of its entries as one answer carries, from the
 * beginning or from `cursor` on. Three hours of speech are one answer. Unless the caller does without
 * them (`texts: false`), `originalText` and `translatedText` are put together from these entries, one line
 * each, and `combinedContent` holds them; of several answers they are to be joined.
 */
export interface LecturePage extends Lecture {
  combinedContent?: CombinedEntry[];
  /** For the next answer; null where this is the last one. */
  nextCursor: number | null;
}
