import type { CallOptions, ContextSource, SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Glossary } from "#shared/glossary.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { Lecture, LectureInfo, Mark, SavedRows } from "#shared/lecture.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { ManualClock } from "./manual-clock.ts";
import { type StoredRows, saveRows } from "./row-store.ts";

interface StoredLecture extends LanguagePair, StoredRows {
  title: string;
  titleSource: Lecture["titleSource"];
  status: "draft" | "completed";
  folderId: string | null;
  createdAt: string;
  summary: string | null;
  context: string | null;
  speakerNames: Record<string, string>;
  actionItems: Lecture["actionItems"];
  hasDemoText: boolean;
  marks: Mark[];
  takes: RecordedTake[];
  originalText: string;
  translatedText: string;
}

/** Rejects when the page gives the call up. */
const untilAborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(new ApiError("unavailable", true)));
  });

/** The server's procedures over memory, with their rules. */
export class FakeServer implements SessionApi {
  readonly lectures = new Map<string, StoredLecture>();
  readonly translations: Parameters<SessionApi["translate"]>[0][] = [];
  /** The ids of the rows of each call. */
  readonly saves: string[][] = [];
  readonly tickets: (string | null)[] = [];
  /** Ids of the person's folders. */
  readonly folders = new Set<string>();
  /** By folder, with the terms of those above it. */
  readonly glossaries = new Map<string | null, Glossary>();
  readonly titles: string[] = [];
  readonly changes: Parameters<SessionApi["updateLecture"]>[0][] = [];
  /** Calls that are to outlive the page. */
  readonly keepaliveCalls: string[] = [];
  readonly contexts: string[] = [];
  /** Seconds that lecture `id` was recorded. */
  usedTime: (id: string) => number = () => 0;
  context: (text: string) => Promise<string> = () => Promise.resolve("Greek grammar.");
  /** The proposal of a title. */
  title: string | null = "Greek nouns";
  summary: (text: string) => AsyncIterable<string | null> = async function* (text) {
    yield "## Summary\n";
    yield `of ${text.length} characters.`;
  };
  ticketMs = 600_000;
  /** Called first; what it throws is the answer. */
  before: (call: keyof SessionApi) => void | Promise<void> = () => {};
  translation: (text: string) => Promise<string> = (text) => Promise.resolve(`«${text}»`);
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Every `call` is answered by `error`, until `before` is set again. */
  fail(call: keyof SessionApi, error = new ApiError("unavailable", true)): void {
    this.before = (one) => {
      if (one === call) throw error;
    };
  }

  /** Every `call` waits until the returned function is called. */
  hold(call: keyof SessionApi): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.before = (one) => (one === call ? promise : undefined);
    return () => {
      this.before = () => {};
      resolve();
    };
  }

  async translate(input: Parameters<SessionApi["translate"]>[0]): Promise<string> {
    this.translations.push(input);
    await this.before("translate");
    return this.translation(input.text);
  }

  async createLecture(
    input: Parameters<SessionApi["createLecture"]>[0],
    options?: CallOptions,
  ): Promise<LectureInfo> {
    await Promise.race([this.before("createLecture"), untilAborted(options?.signal)]);
    const { id, title, titleSource = "person", hasDemoText = false } = input;
    const { sourceLanguage = "en", targetLanguage, isTwoWay = false, folderId } = input;
    this.titles.push(title);
    // A repeated call makes one lecture.
    const known = this.lectures.get(id);
    if (known !== undefined) return { id, ...known };
    const lecture: StoredLecture = {
      title,
      titleSource,
      status: "draft",
      folderId: folderId !== undefined && this.folders.has(folderId) ? folderId : null,
      createdAt: new Date(this.#clock.now()).toISOString(),
      sourceLanguage,
      targetLanguage,
      isTwoWay,
      summary: null,
      context: null,
      speakerNames: {},
      actionItems: [],
      hasDemoText,
      entries: [],
      seq: 0,
      deletedSeqs: new Map(),
      marks: [],
      takes: [],
      originalText: "",
      translatedText: "",
    };
    this.lectures.set(id, lecture);
    return { id, ...lecture };
  }

  async saveRows(
    input: Parameters<SessionApi["saveRows"]>[0],
    options?: CallOptions,
  ): Promise<SavedRows> {
    if (options?.keepalive) this.keepaliveCalls.push("saveRows");
    await this.before("saveRows");
    const lecture = this.#lecture(input.lectureId);
    this.saves.push(input.entries.map(({ id }) => id));
    return saveRows(lecture, input);
  }

  async updateLecture(
    input: Parameters<SessionApi["updateLecture"]>[0],
    options?: CallOptions,
  ): Promise<void> {
    if (options?.keepalive) this.keepaliveCalls.push("updateLecture");
    await this.before("updateLecture");
    const { id, ...fields } = input;
    this.changes.push(input);
    Object.assign(this.#lecture(id), fields);
  }

  async changeMarks(
    input: Parameters<SessionApi["changeMarks"]>[0],
    options?: CallOptions,
  ): Promise<void> {
    if (options?.keepalive) this.keepaliveCalls.push("changeMarks");
    await this.before("changeMarks");
    const lecture = this.#lecture(input.lectureId);
    const replaced = new Set([...input.marks.map(({ id }) => id), ...input.deletedIds]);
    lecture.marks = [...lecture.marks.filter(({ id }) => !replaced.has(id)), ...input.marks];
  }

  async storeTakes(
    input: Parameters<SessionApi["storeTakes"]>[0],
    options?: CallOptions,
  ): Promise<void> {
    if (options?.keepalive) this.keepaliveCalls.push("storeTakes");
    await this.before("storeTakes");
    const lecture = this.#lecture(input.lectureId);
    const replaced = new Set(input.takes.map(({ id }) => id));
    lecture.takes = [...lecture.takes.filter(({ id }) => !replaced.has(id)), ...input.takes];
  }

  async generateContext(source: ContextSource): Promise<{ context: string; title: string | null }> {
    const text = "text" in source ? source.text : this.#text(source.lectureId);
    this.contexts.push(text);
    await this.before("generateContext");
    const context = await this.context(text);
    if ("text" in source) return { context, title: this.title };
    const lecture = this.#lecture(source.lectureId);
    if (lecture.titleSource !== "date") return { context, title: null };
    if (this.title !== null) Object.assign(lecture, { title: this.title, titleSource: "proposed" });
    return { context, title: this.title };
  }

  async *summarize(input: Parameters<SessionApi["summarize"]>[0]): AsyncGenerator<string | null> {
    await this.before("summarize");
    yield* this.summary(this.#text(input.lectureId));
  }

  async completeLecture(input: Parameters<SessionApi["completeLecture"]>[0]) {
    await this.before("completeLecture");
    const lecture = this.#lecture(input.id);
    const { folderId = lecture.folderId } = input;
    if (folderId !== null && !this.folders.has(folderId)) throw new ApiError("conflict", false);
    const isKept = lecture.titleSource === "person" && input.titleSource !== "person";
    const title = isKept ? lecture.title : input.title;
    Object.assign(lecture, { status: "completed", title, titleSource: "person", folderId });
    return { title };
  }

  async readGlossary(folderId: string | null): Promise<Glossary> {
    await this.before("readGlossary");
    return this.glossaries.get(folderId) ?? { folderIds: [folderId, null], terms: [] };
  }

  async getLecture(id: string): Promise<Lecture> {
    await this.before("getLecture");
    const lecture = this.#lecture(id);
    const { deletedSeqs: _, ...stored } = lecture;
    return {
      id,
      ...stored,
      entries: [...lecture.entries],
      updatedAt: "2026-11-20T09:00:00Z",
      excerpt: "",
      translatedExcerpt: "",
      usedTime: this.usedTime(id),
    };
  }

  async issueGuestTicket(previous: string | null) {
    await this.before("issueGuestTicket");
    this.tickets.push(previous);
    const expiresAt = new Date(this.#clock.now() + this.ticketMs).toISOString();
    return { recordingId: "guest-recording", ticket: `t${this.tickets.length}`, expiresAt };
  }

  /** The English that a summary is made of. */
  #text(id: string): string {
    const { entries, originalText } = this.#lecture(id);
    return entries.map(({ original }) => original).join(" ") || originalText;
  }

  #lecture(id: string): StoredLecture {
    const lecture = this.lectures.get(id);
    if (lecture === undefined) throw new ApiError("not_found", false);
    return lecture;
  }
}
