import { formatDraftTitle } from "#client/realtime/lecture/titles.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { withRetries } from "#client/realtime/timeouts-and-retries.ts";
import type { TranscriptStore } from "#client/realtime/transcript/store.ts";
import type { LectureInfo, SaveState } from "#client/realtime/types.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { AutoSave, type MergedRows } from "./auto-save.ts";
import type { LectureFields } from "./changed-fields.ts";

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  lectureId: string;
  store(): TranscriptStore;
  /** Row `position` as it is stored. */
  row(position: number): TranscriptEntry | undefined;
  language(): TargetLanguage;
  merge(stored: Lecture): MergedRows;
  onChange(): void;
  /** More rows, or all changes, have reached the server. */
  onSaved(): void;
  /** Saving is refused for good. */
  onRefused(code: ErrorCode): void;
}

/** The server's side of one open lecture: whether it exists there, and the saving of its changes. A guest's has none. */
export class StoredLecture {
  readonly #deps: Deps;
  readonly #autoSave: AutoSave | null;
  #lecture: LectureInfo | null;
  #isCreated: boolean;
  #state: SaveState;
  #refusalCount = 0;
  /** Fields that changed before there was a lecture to save them in. */
  #pendingFields: LectureFields;
  #isDisposed = false;

  constructor(
    deps: Deps,
    origin: {
      lecture: LectureInfo | null;
      isCreated: boolean;
      savedRowCount: number;
      pendingFields: LectureFields;
    },
  ) {
    this.#deps = deps;
    this.#lecture = origin.lecture;
    this.#pendingFields = origin.pendingFields;
    this.#isCreated = origin.isCreated;
    this.#state = deps.identity === "guest" ? "local" : "saved";
    this.#autoSave = deps.identity === "guest" ? null : this.#createAutoSave(origin.savedRowCount);
  }

  get lecture(): LectureInfo | null {
    return this.#lecture;
  }
  /** The lecture exists on the server. */
  get isCreated(): boolean {
    return this.#isCreated;
  }
  get state(): SaveState {
    return this.#state;
  }
  /** Refusals in a row. */
  get refusalCount(): number {
    return this.#refusalCount;
  }
  /** Rows the server holds; null: they stay on this page. */
  get savedRowCount(): number | null {
    return this.#autoSave?.savedRowCount ?? null;
  }
  get isSaved(): boolean {
    return this.#autoSave?.isSaved ?? true;
  }

  /** Makes sure that the lecture exists on the server, as a draft. @throws ApiError */
  async create(signal?: AbortSignal): Promise<void> {
    if (this.#isCreated || this.#autoSave === null) return;
    const { api, ports, lectureId: id, store, language, onChange } = this.#deps;
    const targetLanguage = language();
    const title = formatDraftTitle(ports.clock.now());
    const options = signal ? { signal } : {};
    try {
      const create = () => api.createLecture({ id, title, targetLanguage }, options);
      await withRetries(ports.clock, create, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) this.#refusalCount += 1;
      throw error;
    }
    if (this.#isCreated || this.#isDisposed) return;
    this.#lecture = { id, title, status: "draft" };
    this.#isCreated = true;
    const last = store().length - 1;
    if (last >= 0) this.#autoSave.markRowChanged(last);
    const now = language();
    if (now !== targetLanguage)
      this.#pendingFields = { ...this.#pendingFields, targetLanguage: now };
    if (Object.keys(this.#pendingFields).length > 0)
      this.#autoSave.changeFields(this.#pendingFields);
    onChange();
  }

  /** Row `position` is new or changed. One that is too early goes along with the lecture's creation. */
  markRowChanged(position: number): void {
    if (this.#isCreated) this.#autoSave?.markRowChanged(position);
  }

  changeFields(fields: LectureFields): void {
    if (this.#isCreated) this.#autoSave?.changeFields(fields);
    else this.#pendingFields = { ...this.#pendingFields, ...fields };
  }

  /** It was given another name, in the library or elsewhere. */
  rename(title: string): void {
    if (this.#lecture === null || this.#lecture.title === title) return;
    this.#lecture = { ...this.#lecture, title };
    this.#deps.onChange();
  }

  /** Saves now; true when the server has confirmed everything within `timeoutMs`. */
  async flush(timeoutMs: number): Promise<boolean> {
    if (this.#autoSave === null || !this.#isCreated) return true;
    return this.#autoSave.flush(timeoutMs);
  }

  sendBeforeUnload(): void {
    if (this.#isCreated) this.#autoSave?.sendBeforeUnload();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#autoSave?.dispose();
  }

  #createAutoSave(savedRowCount: number): AutoSave {
    const { ports, onChange, onSaved, onRefused } = this.#deps;
    return new AutoSave(
      {
        ...this.#deps,
        ...ports,
        onState: (state) => {
          this.#state = state;
          onChange();
        },
        onSaved: () => {
          this.#refusalCount = 0;
          onSaved();
        },
        onRefused: (code) => {
          this.#refusalCount += 1;
          // Once: each further change asks the server again and would be refused again.
          if (this.#refusalCount === 1) onRefused(code);
        },
      },
      savedRowCount,
    );
  }
}
