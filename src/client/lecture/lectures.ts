import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import type { LecturePorts } from "#client/lecture/lecture-ports.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { Signal } from "#client/lib/observable.ts";
import { EditableLecture } from "./editable-lecture.ts";
import type { InitialState } from "./initial-state.ts";

/** Keeps a lecture open. */
export interface LectureHandle {
  readonly lecture: EditableLecture;
  /** Lets the lecture go; it stays open until everything is saved. */
  close(): void;
  /** Lets the lecture go. Unless another handle keeps it, what is not saved is dropped. */
  discard(): void;
}

/** What a handle is for: a page that shows the lecture, or its recording. */
type HandleKind = "page" | "recording";

interface LecturesOptions {
  api: SessionApi;
  ports: LecturePorts;
  identity: "user" | "guest";
  notify(lecture: EditableLecture, notice: LectureNotice): void;
  /** A lecture has changed. */
  onChange(): void;
}

/**
 * The tab's open lectures, each once, by id. Whoever shows, records or changes a lecture holds a handle of it; without one
 * it stays open until everything is saved.
 */
export class Lectures {
  /** By id. */
  readonly list = new Signal<ReadonlyMap<string, EditableLecture>>(new Map());
  readonly #handles = new Map<EditableLecture, HandleKind[]>();
  /** Lectures that were deleted elsewhere: they can be saved only after they are restored. */
  readonly #deleted = new WeakSet<EditableLecture>();

  constructor(private readonly options: LecturesOptions) {}

  find(id: string): EditableLecture | undefined {
    return this.list.get().get(id);
  }

  /** Opens the lecture of `initial`, unless it is open. */
  open(initial: InitialState, kind: HandleKind): LectureHandle {
    return this.hold(this.find(initial.lectureId) ?? this.#create(initial), kind);
  }

  /** Another handle of an open lecture. */
  hold(lecture: EditableLecture, kind: HandleKind): LectureHandle {
    this.#deleted.delete(lecture);
    const kinds = this.#handles.get(lecture) ?? [];
    kinds.push(kind);
    this.#handles.set(lecture, kinds);
    let isClosed = false;
    const release = () => {
      if (isClosed) return false;
      isClosed = true;
      kinds.splice(kinds.indexOf(kind), 1);
      return kinds.length === 0;
    };
    return {
      lecture,
      close: () => {
        if (release()) void lecture.saveNow().then(() => this.#closeIfDone(lecture));
      },
      discard: () => {
        if (release()) this.#close(lecture);
      },
    };
  }

  /** A page shows `lecture`. */
  isShown(lecture: EditableLecture): boolean {
    return this.#handles.get(lecture)?.includes("page") === true;
  }

  /** Lecture `id` was deleted: nothing of it is saved any more. */
  delete(id: string): void {
    const lecture = this.find(id);
    if (lecture) this.#close(lecture);
  }

  /** Closing the page now would lose something that can be saved. */
  get hasUnsavedChanges(): boolean {
    return this.#all.some((lecture) => lecture.hasUnsavedChanges && !this.#deleted.has(lecture));
  }

  /** Retries now what waits to be translated or saved. */
  wake(): void {
    for (const lecture of this.#all) lecture.wake();
  }

  /** Saves everything now. Resolves when the server has confirmed it, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.all(this.#all.map(({ stored }) => stored.flush(timeoutMs)));
  }

  saveOnPageHide(): void {
    for (const { stored } of this.#all) stored.saveOnPageHide();
  }

  dispose(): void {
    for (const lecture of this.#all) this.#close(lecture);
  }

  get #all(): EditableLecture[] {
    return [...this.list.get().values()];
  }

  #create(initial: InitialState): EditableLecture {
    const { api, ports, identity, notify, onChange } = this.options;
    const lecture: EditableLecture = new EditableLecture(
      {
        api,
        ports,
        identity,
        onChange,
        notify: (notice) => {
          // Its changes stay here in case it is restored.
          if (notice.kind === "lectureDeletedElsewhere") this.#deleted.add(lecture);
          notify(lecture, notice);
        },
      },
      initial,
    );
    this.list.set(new Map([...this.list.get(), [initial.lectureId, lecture]]));
    lecture.view.subscribe(() => this.#closeIfDone(lecture));
    return lecture;
  }

  #closeIfDone(lecture: EditableLecture): void {
    const isHeld = this.#handles.get(lecture)?.length !== 0;
    if (!isHeld && !lecture.hasUnsavedChanges) this.#close(lecture);
  }

  #close(lecture: EditableLecture): void {
    this.#handles.delete(lecture);
    lecture.dispose();
    const left = this.#all.filter((other) => other !== lecture);
    this.list.set(new Map(left.map((other) => [other.lectureId, other])));
  }
}
