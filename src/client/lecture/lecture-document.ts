import type { Observable } from "#client/lib/observable.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type {
  LanguagePair,
  SpokenLanguage,
  TargetLanguage,
  TranslationLanguage,
} from "#shared/languages.ts";
import type { Lecture, LectureInfo, Mark, TranscriptEntry } from "#shared/lecture.ts";
import type { LectureAccess } from "#shared/people.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";
import type { RowFormula } from "#shared/row-formulas.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";

/**
 * The public interface of a lecture's text. No React here: components subscribe through `useSyncExternalStore`.
 */

/**
 * One sentence of the transcript. Replaced, never mutated: an unchanged row keeps its identity. Which version of it is
 * stored, only saving knows.
 */
export interface TranscriptRow extends Omit<TranscriptEntry, "seq"> {
  /** Index on the page, from 0. It changes when a row comes before it; `id` never does. */
  position: number;
  /** `waiting`: no translation yet; `failed`: the text is `[Translation Failed]`; `none`: not wanted. */
  translation: "waiting" | "done" | "failed" | "none";
  /** Language of `translated`, for the `lang` and `dir` attributes; null when there is none. */
  translatedInto: TranslationLanguage | null;
  /** Of a row that waits, or has waited on this page. Not saved. */
  placeholder?: RowPlaceholder;
  /** What is offered in place of the row's own texts. Not saved. */
  other?: OtherTexts | undefined;
}

/** What another person has written in a row that this page's person has changed as well, and whose text was kept. */
export interface OtherTexts {
  original?: string;
  translated?: string;
}

/** A row's translation, and whether it has one. */
export type RowTranslation = Pick<TranscriptRow, "translated" | "translation" | "translatedInto">;

/** What a row shows until its translation arrives. */
export interface RowPlaceholder {
  /** The language that is waited for. */
  language: TranslationLanguage;
  /** The preview of the live line that it was, or the translation that is being replaced; empty without either. */
  text: string;
  /** The translation has not come in time, or will not come now: a row without text shows nothing. */
  isLate?: true;
}

/** Why rows show nothing in place of their translation. */
export interface MissingTranslations {
  /** Of the first such row. */
  position: number;
  /**
   * `none`: nothing here can translate now. `site`: the site has failed, and not its model. `slow`: translations come, but
   * late. Otherwise the last error.
   */
  reason: "slow" | "none" | "site" | ErrorCode;
  /** Of `slow`: how long what was said last has waited, in seconds; missing before anything was translated. */
  behindSeconds?: number | undefined;
}

/** Up to 50 rows. Full blocks keep their identity, so React renders only the last block again. */
export interface RowBlock {
  /** Position of the first row. */
  from: number;
  rows: readonly TranscriptRow[];
}

/** The sentence being spoken. */
export interface LiveLine {
  /** Final text whose sentence has not ended. */
  finalText: string;
  /** Text that may still change. */
  interimText: string;
  speaker: string | null;
  /** Start on the lecture's clock, ms. */
  startMs: number;
  spokenIn: SpokenLanguage;
  /** Provisional translation; empty when there is none, `...` when it failed. */
  preview: string;
}

export interface TranscriptView {
  readonly blocks: Observable<readonly RowBlock[]>;
  readonly live: Observable<LiveLine | null>;
  /** Number of words in the rows' originals. */
  readonly wordCount: Observable<number>;
  rows(): TranscriptRow[];
}

export type RecordingStatus = "ready" | "recording" | "paused";

/**
 * `unsaved`: changed, waiting for the save delay. `failed`: refused, or the lecture could not be created.
 * `local`: a guest's, kept on this page only.
 */
export type SaveState = "local" | "saved" | "unsaved" | "saving" | "retrying" | "failed";

/** What the recorder does with a lecture. */
export interface RecorderView {
  status: RecordingStatus;
  /** The command that is running; controls are disabled meanwhile. */
  busy: "starting" | "saving" | "loading" | null;
  /** Length of the lecture's clock, whole seconds. */
  recordedSeconds: number;
}

/** What the page shows of an open lecture besides its text. Replaced on change. */
export interface LectureView extends RecorderView, LanguagePair {
  saveState: SaveState;
  /** Null while the lecture does not exist on the server; always null for a guest. */
  lecture: LectureInfo | null;
  /** What the lecture is about, written by the person or generated; empty when there is none. */
  context: string;
  contextState: "empty" | "generating" | "set";
  /** Speaker label, as in the rows, → name. */
  speakerNames: Readonly<Record<string, string>>;
  /** Parts of the text are the demo voice's, so nobody said them. */
  hasDemoText: boolean;
}

/** What became of a lecture's sound. */
export interface RecordedView {
  /** In the order in which they began. */
  readonly list: Observable<readonly RecordedTake[]>;
  /** Of all takes, by time. */
  readonly gaps: Observable<readonly Gap[]>;
}

/** The summary in Markdown. While `generating`, `text` grows; after a failure it is the previous one. */
export interface SummaryView {
  text: string;
  /** What the person has written and not saved; null: nothing. */
  draft: string | null;
  state: "idle" | "generating" | "saving";
}

export type LectureName = Pick<LectureInfo, "title" | "titleSource">;

/** An open lecture as the reading surface shows and edits it, whether it is being recorded or only read. */
export interface LectureDocument {
  readonly view: Observable<LectureView>;
  readonly transcript: TranscriptView;
  readonly summary: Observable<SummaryView>;
  /** Who is to do what until when, in the lecture's order. */
  readonly actionItems: Observable<readonly ActionItem[]>;
  /** Missing where nothing of it is known. */
  readonly recorded?: RecordedView;
  /** Its rows cannot be changed. */
  readonly isReadOnly?: boolean;
  /** It is another person's, of whose text and marks alone something can be changed. */
  readonly access?: LectureAccess | undefined;
  /** Streams a summary into `summary` and saves it; a lecture's by default. The outcome is a notice. */
  generateSummary(template?: SummaryTemplate): Promise<void>;
  /** Notes what the person writes, until `saveSummary` or `keepSummary`; null drops it. */
  editSummary(draft: string | null): void;
  /** Saves what the person has written. False: it is not saved, and still the draft; a notice says why. */
  saveSummary(): Promise<boolean>;
  /** What the person has written becomes the summary, which is saved with the lecture. */
  keepSummary(): void;
  /** Replaces the action items. Saved. */
  setActionItems(items: readonly ActionItem[]): void;
  /**
   * Corrects row `position`. A new original is translated again, unless the translation was written by
   * hand. `translated` is a translation by hand. A blank one is ignored. Saved. `base`: the row that the person has seen; what
   * another one has written in it since is offered.
   */
  correctRow(
    position: number,
    change: { original?: string; translated?: string },
    base?: TranscriptRow,
  ): void;
  /** Row `position` no longer offers the other person's text of `field`. Missing where none is offered. */
  dropOther?(position: number, field: keyof OtherTexts): void;
  /** Null while every row shows its translation, or that it is coming. */
  readonly missingTranslations: Observable<MissingTranslations | null>;
  /** Translations are on their way; not while none can come. Missing where nothing is translated. */
  readonly hasPendingTranslations?: boolean;
  /** Requests all missing translations now. */
  retryTranslations(): void;
  /** Translates one row again after a failure, if `canRetryTranslation`. */
  retryTranslation(position: number): void;
  /**
   * False if neither the failed row's last request nor the lecture, whose language is `language`, says into
   * which language other than its own.
   */
  canRetryTranslation(position: number, language: TargetLanguage): boolean;
  /**
   * Sets the shown lecture's language and translates every row again, except rows spoken in `language`, or already
   * translated into it by hand. Of a lecture in two languages it is the second one. The old translations stay visible
   * until the new ones arrive.
   */
  retranslate(language: TranslationLanguage): void;
  /** Replaces translations of rows, by id, all at once. Saved. False for a lecture that is closed or only read. */
  setTranslations(changes: ReadonlyMap<string, RowTranslation>): boolean;
  /** The formulas that are said in row `id`. Saved. Missing where rows cannot be changed. */
  setFormulas?(id: string, formulas: RowFormula[]): void;
  /**
   * Takes over what another tab or device has saved, or was saved apart from it. While this page has unsaved changes, it
   * takes over only rows, which are merged with them.
   */
  updateFrom(stored: Lecture): void;
  /** Grows with each save: a copy that was read before is older than the page. */
  readonly saveCount: number;
  /** The rows in the version that the server has, as far as this page knows. */
  listStoredRows(): TranscriptEntry[];
  /** Takes effect with the next sentence. Saved. */
  setLanguages(change: Partial<LanguagePair>): void;
  /** Sets what the lecture is about. Saved; sent to the provider (next connection) and with every later translation. */
  setContext(text: string): void;
  /** Names speaker `label` in the whole lecture; a blank name removes it. Saved. */
  renameSpeaker(label: string, name: string): void;
  /** The terms that apply to the lecture; empty for a guest, and until they are read. */
  readonly terms: Observable<readonly GlossaryTerm[]>;
  /** A glossary was changed: reads the terms again. */
  refreshTerms(): void;
  /** What the person has marked, with their notes. */
  readonly marks: Observable<readonly Mark[]>;
  /**
   * Marks row `position`; null: the sentence being spoken, or else the last one. Saved. Returns the new mark, or
   * null when the lecture has as many as it may have (with a notice).
   */
  addMark(position: number | null): Mark | null;
  /** Stores a mark in place of the one with its id. Saved. */
  putMark(mark: Mark): void;
  /** Returns the function that stores `mark` again in its lecture, also after another one was opened. */
  deleteMark(mark: Mark): () => void;
  /** Saves the shown lecture. True when the server has confirmed everything within 15 s. */
  saveNow(): Promise<boolean>;
}
