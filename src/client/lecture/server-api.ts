import type * as z from "zod/mini";
import type { MarkedSentence } from "#shared/format-marks.ts";
import type { Glossary, TermPair } from "#shared/glossary.ts";
import type { LanguagePair, SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type {
  ChangeMarksInput,
  changeLectureInput,
  createLectureInput,
  Lecture,
  LectureInfo,
  SavedRows,
  SaveRowsInput,
  TitleSource,
} from "#shared/lecture.ts";
import type { StoreTakesInput } from "#shared/recorded-take.ts";
import type { GuestTicket } from "#shared/site.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";

export interface CallOptions {
  signal?: AbortSignal;
  /** Fetch's `keepalive`: the request is sent even if the page is closed meanwhile. */
  keepalive?: boolean;
}

/** Fields of a lecture that may change. */
export type LectureFields = Omit<z.infer<typeof changeLectureInput>, "id">;

/** What a context is generated from: a user's stored lecture, or the beginning of a guest's, in `spokenIn` mostly. */
export type ContextSource = { lectureId: string } | { text: string; spokenIn: SpokenLanguage };

/** The server as a session calls it. `state/server-api.ts` implements it, with time limits. */
export interface SessionApi {
  translate(
    input: {
      text: string;
      sourceLanguage: SpokenLanguage;
      targetLanguage: TranslationLanguage;
      context: string;
      wordContext: string;
      /** Agreed translations of terms that occur in `text`. */
      terms?: readonly TermPair[];
      /** Told when the call begins and ends to wait until the model has time for it, which no limit counts. */
      onQueue?(isWaiting: boolean): void;
    },
    signal: AbortSignal,
  ): Promise<string>;
  createLecture(
    input: z.infer<typeof createLectureInput>,
    options?: CallOptions,
  ): Promise<LectureInfo>;
  saveRows(input: SaveRowsInput, options?: CallOptions): Promise<SavedRows>;
  changeMarks(input: ChangeMarksInput, options?: CallOptions): Promise<void>;
  storeTakes(input: StoreTakesInput, options?: CallOptions): Promise<void>;
  /** Sets the given fields and leaves the others. */
  updateLecture(input: { id: string } & LectureFields, options?: CallOptions): Promise<unknown>;
  /**
   * Returns the title: one that is not the person's does not replace one that is. `folderId` null: in no folder;
   * missing: where it is. @throws ApiError `conflict` if that folder is gone
   */
  completeLecture(
    input: { id: string; title: string; titleSource: TitleSource; folderId?: string | null },
    options?: CallOptions,
  ): Promise<{ title: string }>;
  getLecture(id: string, options?: CallOptions): Promise<Lecture>;
  /**
   * Streams a summary of the stored lecture in the languages of `listSummaryLanguages`. Its text is `original`, in the
   * languages `spokenIn`, the one of most rows first; its marked sentences are `marked`. By any template but the lecture's
   * it cites times of rows, as `[12:34]`. Null: another engine begins, and what came before is discarded. Rejects when the
   * stream is incomplete.
   */
  summarize(
    input: {
      lectureId: string;
      template: SummaryTemplate;
      languages: LanguagePair;
      spokenIn: readonly SpokenLanguage[];
      original: string;
      marked: readonly MarkedSentence[];
    },
    signal: AbortSignal,
  ): AsyncIterable<string | null>;
  /** `title`: the model's proposal; null if there is none or the stored lecture has a name. */
  generateContext(
    source: ContextSource,
    signal: AbortSignal,
  ): Promise<{ context: string; title: string | null }>;
  /** The terms of a folder and of those above it; null: of the whole library. Of users only. */
  readGlossary(folderId: string | null, options?: CallOptions): Promise<Glossary>;
  issueGuestTicket(previous: string | null, options?: CallOptions): Promise<GuestTicket>;
}
