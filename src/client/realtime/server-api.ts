import type { ErrorCode } from "#shared/errors.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { AppendEntriesInput, Lecture } from "#shared/lecture.ts";
import type { GuestTicket } from "#shared/site.ts";

/** A refusal by the server, with a code of the vocabulary. Every `SessionApi` method rejects with this alone. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    /** Whether the same call may succeed later: network failures, 429 and 5xx. */
    readonly retryable: boolean,
    options?: { cause?: unknown; retryAfterSeconds?: number },
  ) {
    super(code, { cause: options?.cause });
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
  readonly retryAfterSeconds: number | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The page may be gone before the answer comes: the browser is asked to send it all the same. */
  keepalive?: boolean;
}

export interface LectureUpdate {
  id: string;
  targetLanguage?: TargetLanguage;
  summary?: string | null;
  context?: string | null;
  speakerNames?: Record<string, string>;
}

/** What a context is generated from: a user's stored lecture, or the beginning of a guest's. */
export type ContextSource = { lectureId: string } | { text: string };

export interface SessionApi {
  translate(
    input: {
      text: string;
      targetLanguage: TranslationLanguage;
      context: string;
      wordContext: string;
    },
    signal: AbortSignal,
  ): Promise<string>;
  createLecture(
    input: { id: string; title: string; targetLanguage: TargetLanguage },
    options?: CallOptions,
  ): Promise<void>;
  appendEntries(input: AppendEntriesInput, options?: CallOptions): Promise<void>;
  /** Sets what is given and leaves the rest. */
  updateLecture(input: LectureUpdate, options?: CallOptions): Promise<void>;
  completeLecture(input: { id: string; title: string }, options?: CallOptions): Promise<void>;
  getLecture(id: string, options?: CallOptions): Promise<Lecture>;
  /** The summary of the lecture as it is stored, in pieces, in order. Rejects when it is cut short or the server gives none. */
  summarize(
    input: { lectureId: string; targetLanguage: TargetLanguage },
    signal: AbortSignal,
  ): AsyncIterable<string>;
  generateContext(source: ContextSource, signal: AbortSignal): Promise<string>;
  issueGuestTicket(previous: string | null, options?: CallOptions): Promise<GuestTicket>;
}
