import { draftTitle } from "#client/realtime/lecture/titles.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { patiently } from "#client/realtime/timeouts-and-retries.ts";
import type { TranscriptStore } from "#client/realtime/transcript/store.ts";
import type { SaveState, WorkingLecture } from "#client/realtime/types.ts";
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
  readonly #saver: AutoSave | null;
  #working: WorkingLecture | null;
  #created: boolean;
  #state: SaveState;
  #refusals = 0;
  /** Fields that changed before there was a lecture to save them in. */
  #early: LectureFields;
  #disposed = false;

  constructor(
    deps: Deps,
    origin: {
      lecture: WorkingLecture | null;
      created: boolean;
      savedRows: number;
      early: LectureFields;
    },
  ) {
    this.#deps = deps;
    this.#working = origin.lecture;
    this.#early = origin.early;
    this.#created = origin.created;
    this.#state = deps.identity === "guest" ? "local" : "saved";
    this.#saver = deps.identity === "guest" ? null : this.#makeSaver(origin.savedRows);
  }

  get working(): WorkingLecture | null {
    return this.#working;
  }
  /** The lecture exists on the server. */
  get created(): boolean {
    return this.#created;
  }
  get state(): SaveState {
    return this.#state;
  }
  /** Refusals in a row. */
  get refusals(): number {
    return this.#refusals;
  }
  /** Rows the server holds; null: they stay on this page. */
  get savedRows(): number | null {
    return this.#saver?.savedRows ?? null;
  }
  get clean(): boolean {
    return this.#saver?.clean ?? true;
  }

  /** Makes sure that the lecture exists on the server, as a draft. @throws ApiError */
  async create(signal?: AbortSignal): Promise<void> {
    if (this.#created || this.#saver === null) return;
    const { api, ports, lectureId: id, store, language, onChange } = this.#deps;
    const targetLanguage = language();
    const title = draftTitle(ports.clock.now());
    const options = signal ? { signal } : {};
    try {
      const create = () => api.createLecture({ id, title, targetLanguage }, options);
      await patiently(ports.clock, create, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) this.#refusals += 1;
      throw error;
    }
    if (this.#created || this.#disposed) return;
    this.#working = { id, title, status: "draft" };
    this.#created = true;
    const last = store().length - 1;
    if (last >= 0) this.#saver.touch(last);
    const now = language();
    if (now !== targetLanguage) this.#early = { ...this.#early, targetLanguage: now };
    if (Object.keys(this.#early).length > 0) this.#saver.change(this.#early);
    onChange();
  }

  /** Row `position` is new or changed. One that is too early goes along with the lecture's creation. */
  touch(position: number): void {
    if (this.#created) this.#saver?.touch(position);
  }

  change(fields: LectureFields): void {
    if (this.#created) this.#saver?.change(fields);
    else this.#early = { ...this.#early, ...fields };
  }

  /** It was given another name, in the library or elsewhere. */
  rename(title: string): void {
    if (this.#working === null || this.#working.title === title) return;
    this.#working = { ...this.#working, title };
    this.#deps.onChange();
  }

  /** Saves now; true when the server has confirmed everything within `timeoutMs`. */
  async flush(timeoutMs: number): Promise<boolean> {
    if (this.#saver === null || !this.#created) return true;
    return this.#saver.flush(timeoutMs);
  }

  part(): void {
    if (this.#created) this.#saver?.part();
  }

  dispose(): void {
    this.#disposed = true;
    this.#saver?.dispose();
  }

  #makeSaver(savedRows: number): AutoSave {
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
          this.#refusals = 0;
          onSaved();
        },
        onRefused: (code) => {
          this.#refusals += 1;
          // Once: each further change asks the server again and would be refused again.
          if (this.#refusals === 1) onRefused(code);
        },
      },
      savedRows,
    );
  }
}
