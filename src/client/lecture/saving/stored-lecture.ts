import { type InitialState, toLectureInfo } from "#client/lecture/initial-state.ts";
import type { LectureName, SaveState } from "#client/lecture/lecture-document.ts";
import type { LectureMarks } from "#client/lecture/lecture-marks.ts";
import type { LecturePorts } from "#client/lecture/lecture-ports.ts";
import type { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import type { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import type { LectureFields, SessionApi } from "#client/lecture/server-api.ts";
import { formatDraftTitle } from "#client/lecture/titles.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { Lecture, LectureInfo, TranscriptEntry } from "#shared/lecture.ts";
import { type Backoff, getBackoffMs, saveWaitMs } from "#shared/limits.ts";
import { AutoSave } from "./auto-save.ts";
import type { RowUpdate } from "./unsaved-rows.ts";

const creationBackoff: Backoff = { firstMs: 1_000, maxMs: 30_000, spread: [0.75, 1.25] };

interface Deps {
  api: SessionApi;
  ports: LecturePorts;
  identity: "user" | "guest";
  lectureId: string;
  writer: TranscriptWriter;
  marks: LectureMarks;
  takes: RecordedTakes;
  /** Shows rows that another tab or device has changed or deleted, merged with this page's. */
  showRows(update: RowUpdate): void;
  onChange(): void;
  /** The server has confirmed rows or takes. */
  onSaved(): void;
  onRefused(code: ErrorCode): void;
  /** The lecture was created in no folder: the one that it was to be in is gone. */
  onFolderMissing(): void;
}

/**
 * The server's copy of one lecture: creates it and saves its changes. A guest's lecture is never created
 * or saved.
 */
export class StoredLecture {
  readonly #autoSave: AutoSave | null;
  #lecture: LectureInfo | null;
  /** Until the lecture is created. */
  #name: LectureName | null;
  #newFolderId: string | null;
  #refusalCount = 0;
  /** Fields that changed before the lecture was created. */
  #pendingFields: LectureFields;
  #isDisposed = false;
  /** The rows of a lecture stored as plain text. They are saved together with the first change: those that are hide the text. */
  #textIds: string[] = [];
  /** Attempts to create it later. */
  readonly #creation: RetryTimer;

  constructor(
    private readonly deps: Deps,
    initial: Pick<
      InitialState,
      "lecture" | "name" | "newFolderId" | "rows" | "storedRows" | "pendingFields"
    >,
  ) {
    this.#lecture = initial.lecture;
    this.#name = initial.name;
    this.#newFolderId = initial.newFolderId ?? null;
    this.#pendingFields = initial.pendingFields;
    const { clock, random } = deps.ports;
    const getDelayMs = (failures: number) => getBackoffMs(creationBackoff, failures, random());
    this.#creation = new RetryTimer(clock, getDelayMs, () => void this.#tryToCreate());
    this.#autoSave = deps.identity === "guest" ? null : this.#createAutoSave(initial.storedRows);
    const ids = initial.rows.map(({ id }) => id);
    if (!this.isCreated) for (const id of ids) this.#autoSave?.markRowChanged(id);
    else if (initial.storedRows.length === 0) this.#textIds = ids;
  }

  /** Null while the lecture does not exist on the server. */
  get lecture(): LectureInfo | null {
    return this.#lecture;
  }
  /** Null while it has only the date of its creation. */
  get name(): LectureName | null {
    if (this.#lecture === null) return this.#name;
    const { title, titleSource } = this.#lecture;
    return titleSource === "date" ? null : { title, titleSource };
  }
  /** The folder that it is in, or in which it is created; null: none. */
  get folderId(): string | null {
    return this.#lecture === null ? this.#newFolderId : this.#lecture.folderId;
  }
  set newFolderId(folderId: string | null) {
    this.#newFolderId = folderId;
  }
  get isCreated(): boolean {
    return this.#lecture !== null;
  }
  get state(): SaveState {
    return this.#autoSave?.state ?? "local";
  }
  /** Number of refusals in a row. */
  get refusalCount(): number {
    return this.#refusalCount;
  }
  /** Start of the first row that the server has never had, on the lecture's clock; Infinity without any. Null for a guest. */
  get newStartMs(): number | null {
    return this.#autoSave?.newStartMs ?? null;
  }
  get isSaved(): boolean {
    return this.#autoSave?.isSaved ?? true;
  }
  /** Grows with each save: a copy that was read before is older than the page. */
  get saveCount(): number {
    return this.#autoSave?.saveCount ?? 0;
  }
  /** Others read along. */
  set isShared(isShared: boolean) {
    if (this.#autoSave !== null) this.#autoSave.isShared = isShared;
  }

  /** Creates the lecture as a draft, unless it exists. @throws ApiError */
  async create(signal?: AbortSignal): Promise<void> {
    if (this.isCreated || this.#autoSave === null) return;
    const { api, ports, lectureId: id, writer, onChange } = this.deps;
    const { languages } = writer;
    const name: LectureName = this.#name ?? {
      title: formatDraftTitle(ports.clock.now()),
      titleSource: "date",
    };
    const { hasDemoText } = this.#pendingFields;
    const folderId = this.#newFolderId;
    const input = {
      id,
      ...name,
      ...languages,
      ...(folderId !== null && { folderId }),
      ...(hasDemoText && { hasDemoText }),
    };
    const options = signal ? { signal } : {};
    let lecture: LectureInfo;
    try {
      const create = () => api.createLecture(input, options);
      lecture = await withRetries(ports.clock, create, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) this.#refusalCount += 1;
      throw error;
    }
    if (this.isCreated || this.#isDisposed) return;
    if (folderId !== null && lecture.folderId === null) this.deps.onFolderMissing();
    this.#start(lecture);
    if (writer.languages !== languages) this.changeFields({ ...writer.languages });
    onChange();
  }

  /** The server has the lecture now: what has waited for it is saved. */
  #start(lecture: LectureInfo): void {
    this.#lecture = toLectureInfo(lecture);
    this.#autoSave?.start();
    if (Object.keys(this.#pendingFields).length > 0) this.changeFields(this.#pendingFields);
    this.saveLists();
  }

  /** Creates the lecture once the server answers. */
  createLater(): void {
    if (!this.isCreated && !this.#isDisposed) this.#creation.schedule();
  }

  /** Row `id` is new or changed. Before the lecture exists, it waits for `create`. */
  markRowChanged(id: string): void {
    for (const textId of this.#textIds.splice(0)) this.#autoSave?.markRowChanged(textId);
    this.#autoSave?.markRowChanged(id);
  }

  /** Saves what a person has written without waiting for more: their other pages have it within a second. */
  saveSoon(): void {
    if (this.isCreated && !this.isSaved) this.#autoSave?.scheduleSave(true);
  }

  /** What the server has of row `id`, as far as this page knows. */
  getStoredRow(id: string): TranscriptEntry | undefined {
    return this.#autoSave?.getStoredRow(id);
  }

  changeFields(fields: LectureFields): void {
    if (this.isCreated) this.#autoSave?.changeFields(fields);
    else this.#pendingFields = { ...this.#pendingFields, ...fields };
  }

  /**
   * Saves `fields` in one attempt, and no other; a guest's are only on the page. `onSaved`: the server has confirmed them.
   *
   * @throws ApiError
   */
  async saveOnce(fields: LectureFields, onSaved: () => void): Promise<void> {
    await this.create();
    if (this.#autoSave === null) onSaved();
    else await this.#autoSave.saveOnce(fields, onSaved);
  }

  /** Saves changed marks and takes. Before the lecture exists they wait for `create`. */
  saveLists(): void {
    const { marks, takes } = this.deps;
    if (!this.isCreated) return;
    if (this.#isDisposed) this.#sendMarks();
    else if (marks.hasChanges || takes.hasChanges) this.#autoSave?.scheduleSave();
  }

  /** Takes over the rows of a copy of the lecture that was read from the server. */
  mergeRows(lecture: Lecture): void {
    this.#autoSave?.mergeRows(lecture);
  }

  /** Takes over what another tab or device has saved of the lecture's head. */
  updateInfo(lecture: LectureInfo): void {
    if (this.isCreated) this.#lecture = toLectureInfo(lecture);
    else this.#start(lecture);
  }

  /** Takes over what the server has of a created lecture. */
  setInfo(change: Partial<LectureInfo>): void {
    if (this.#lecture === null) return;
    this.#lecture = { ...this.#lecture, ...change };
    this.deps.onChange();
  }

  /** Takes over a model's title, unless the lecture has a name. A created lecture has it on the server. */
  proposeTitle(title: string): void {
    if (this.name !== null) return;
    const name: LectureName = { title, titleSource: "proposed" };
    if (this.#lecture === null) this.#name = name;
    this.setInfo(name);
  }

  /**
   * Completes the lecture, whose changes are saved, under a title and in a folder: see `SessionApi.completeLecture`.
   * @throws ApiError
   */
  async complete(input: LectureName & Partial<Pick<LectureInfo, "folderId">>): Promise<void> {
    const { api, ports, lectureId: id } = this.deps;
    const { title } = await withRetries(ports.clock, () => api.completeLecture({ id, ...input }));
    this.setInfo({ ...input, title, titleSource: "person", status: "completed" });
  }

  /** Saves everything that is on the page. @throws ApiError */
  async saveAll(): Promise<void> {
    await this.create();
    if (!(await this.flush(saveWaitMs))) throw new ApiError("unavailable", true);
  }

  /** Saves now. True when the server has confirmed everything within `timeoutMs`. */
  async flush(timeoutMs: number): Promise<boolean> {
    if (this.#autoSave === null || !this.isCreated) return true;
    return this.#autoSave.flush(timeoutMs);
  }

  saveOnPageHide(): void {
    if (this.isCreated) this.#autoSave?.saveOnPageHide();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#creation.cancel();
    this.#autoSave?.dispose();
  }

  /** A mark was restored after saving has ended. */
  #sendMarks(): void {
    const { api, ports, lectureId, marks } = this.deps;
    const changes = marks.getChanges();
    if (changes === null) return;
    marks.dropChanges();
    const onFailed = () => ports.log.warn("mark of a closed lecture not saved");
    api.changeMarks({ lectureId, ...changes }).catch(onFailed);
  }

  /** The next stop tells of a refusal. */
  async #tryToCreate(): Promise<void> {
    try {
      await this.create();
    } catch (error) {
      if (error instanceof ApiError && error.retryable) this.createLater();
    }
  }

  #createAutoSave(storedRows: readonly TranscriptEntry[]): AutoSave {
    const { api, ports, lectureId, writer, marks, takes } = this.deps;
    const { showRows, onChange, onSaved, onRefused } = this.deps;
    const autoSave: AutoSave = new AutoSave(
      {
        api,
        clock: ports.clock,
        log: ports.log,
        random: ports.random,
        lectureId,
        marks,
        takes,
        showRows,
        onSaved,
        getRow: (id) => writer.getEntry(id),
        onChange: () => {
          if (autoSave.state === "saved") this.#refusalCount = 0;
          onChange();
        },
        onRefused: (code) => {
          this.#refusalCount += 1;
          // Reported once: each further change tries again and would be refused again.
          if (this.#refusalCount === 1) onRefused(code);
        },
      },
      storedRows,
      this.isCreated,
    );
    return autoSave;
  }
}
