import type { Clock } from "#client/lib/clock.ts";
import { NestedObservable, type Observable, Signal } from "#client/lib/observable.ts";
import type { EditableLecture } from "./lecture/editable-lecture.ts";
import type { LectureDocument } from "./lecture/lecture-document.ts";
import type { OpenLecture } from "./open-lecture.ts";
import type { RecordingSession } from "./session-types.ts";
import { pause } from "./timeouts-and-retries.ts";

const pollMs = 5_000;
/** A background lecture is given up after this many refusals by the server. */
const refusalsMax = 3;

type ShownParts = Pick<
  RecordingSession,
  "transcript" | "summary" | "marks" | "terms" | "missingTranslations" | "recorded"
>;

const isDraining = (lecture: OpenLecture) => lecture.takes.recognition.state === "draining";

/**
 * Owns the open lecture and those in the background: no longer shown, but with audio, translations or
 * rows that are not saved yet. At most one of them is connected to its room.
 */
export class BackgroundLectures {
  /** What the open lecture has, whichever that is. */
  readonly shown: ShownParts;
  /** The text of each lecture here, by id. */
  readonly documents: Signal<ReadonlyMap<string, LectureDocument>>;
  readonly #current: Signal<OpenLecture>;
  readonly #background = new Set<OpenLecture>();
  /** Ids of lectures that are read elsewhere on the page; an id for each reader. */
  readonly #readIds: string[] = [];

  /** `onBackgroundChange`: a background lecture was added or is finished. */
  constructor(
    private readonly clock: Clock,
    first: OpenLecture,
    private readonly onBackgroundChange: () => void,
  ) {
    const current = new Signal(first);
    this.#current = current;
    this.documents = new Signal(this.#listDocuments());
    const observe = <T>(pick: (document: EditableLecture) => Observable<T>) =>
      new NestedObservable(current, ({ document }) => pick(document));
    this.shown = {
      transcript: {
        blocks: observe(({ transcript }) => transcript.blocks),
        live: observe(({ transcript }) => transcript.live),
        wordCount: observe(({ transcript }) => transcript.wordCount),
        rows: () => current.get().document.transcript.rows(),
      },
      summary: observe(({ summary }) => summary),
      marks: observe(({ marks }) => marks),
      terms: observe(({ terms }) => terms),
      missingTranslations: observe(({ missingTranslations }) => missingTranslations),
      recorded: {
        list: observe(({ recorded }) => recorded.list),
        gaps: observe(({ recorded }) => recorded.gaps),
      },
    };
  }

  get current(): OpenLecture {
    return this.#current.get();
  }

  /** Closing the page now would lose something of any lecture here. */
  get hasUnsavedChanges(): boolean {
    return this.#all.some((lecture) => lecture.hasUnsavedChanges);
  }

  /** Opens `next`. The previous lecture is finished in the background if `keep`, else dropped. */
  replace(next: OpenLecture, keep: boolean): void {
    const before = this.current;
    if (keep && isDraining(before)) this.yieldConnection();
    else before.closeConnection();
    this.#current.set(next);
    this.documents.set(this.#listDocuments());
    if (keep) void this.finishInBackground(before);
    else before.dispose();
  }

  find(lectureId: string): OpenLecture | undefined {
    return this.#all.find((lecture) => lecture.lectureId === lectureId);
  }

  /** Disconnects background lectures, because `next` is about to connect. They go on afterwards. */
  yieldConnection(next: OpenLecture = this.current): void {
    for (const lecture of this.#background) {
      if (lecture !== next && isDraining(lecture)) lecture.closeConnection();
    }
  }

  /** Opens background lecture `lectureId` again, disconnected, as `replace` does. Null if there is none. */
  reopen(lectureId: string): OpenLecture | null {
    const lecture = [...this.#background].find((one) => one.lectureId === lectureId);
    if (lecture === undefined) return null;
    this.#background.delete(lecture);
    lecture.closeConnection();
    this.replace(lecture, true);
    return lecture;
  }

  /**
   * Drops lecture `lectureId`, which was deleted. Its sound waits on the device: it may come back from the trash. True when
   * it is the open one.
   */
  discard(lectureId: string): boolean {
    for (const lecture of [...this.#background]) {
      if (lecture.lectureId !== lectureId) continue;
      this.#removeFromBackground(lecture);
      lecture.dispose();
    }
    if (this.current.lectureId !== lectureId) return false;
    this.current.dispose();
    return true;
  }

  /** Keeps lecture `lectureId` open while it is read elsewhere. Returns the function that ends that. */
  keep(lectureId: string): () => void {
    this.#readIds.push(lectureId);
    return () => {
      this.#readIds.splice(this.#readIds.indexOf(lectureId), 1);
    };
  }

  isRead(lecture: OpenLecture): boolean {
    return this.#readIds.includes(lecture.lectureId);
  }

  wake(): void {
    for (const lecture of this.#all) lecture.wake();
    if (this.current.adoption.isDue) void this.recoverAudio();
  }

  /** Sends audio that closed tabs have left of the open lecture. If it is unreadable, `wake` tries again. */
  async recoverAudio(): Promise<void> {
    const lecture = this.current;
    await lecture.adoption.adopt();
    if (lecture.isDisposed || lecture !== this.current || !lecture.hasSendableAudio) return;
    this.yieldConnection();
    lecture.takes.recognition.start(false);
  }

  /** Saves everything now. Resolves when the server has confirmed it, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    await Promise.all(this.#all.map((lecture) => lecture.stored.flush(timeoutMs)));
  }

  saveOnPageHide(): void {
    for (const lecture of this.#all) lecture.stored.saveOnPageHide();
  }

  dispose(): void {
    for (const lecture of this.#all) lecture.dispose();
    this.#background.clear();
  }

  #listDocuments(): ReadonlyMap<string, LectureDocument> {
    return new Map(this.#all.map(({ lectureId, document }) => [lectureId, document]));
  }

  #removeFromBackground(lecture: OpenLecture): boolean {
    if (!this.#background.delete(lecture)) return false;
    this.documents.set(this.#listDocuments());
    return true;
  }

  get #all(): OpenLecture[] {
    return [this.current, ...this.#background];
  }

  /** No other lecture is connected. */
  #canConnect(lecture: OpenLecture): boolean {
    return this.#all.every(
      (other) => other === lecture || other.takes.recognition.state === "idle",
    );
  }

  /** Works on a lecture that is not open until everything is saved, or refused for good. */
  async finishInBackground(lecture: OpenLecture): Promise<void> {
    this.#background.add(lecture);
    this.documents.set(this.#listDocuments());
    this.onBackgroundChange();
    await lecture.adoption.whenIdle();
    const hasAudioToSend = () => isDraining(lecture) || lecture.hasSendableAudio;
    const isUnfinished = () =>
      this.#background.has(lecture) &&
      (this.isRead(lecture) ||
        (lecture.stored.refusalCount < refusalsMax &&
          (lecture.hasUnsavedChanges || hasAudioToSend())));
    while (isUnfinished()) {
      const startedAt = this.clock.now();
      if (!lecture.stored.isCreated) await lecture.stored.create().catch(() => {});
      if (lecture.stored.isCreated) {
        if (hasAudioToSend() && this.#canConnect(lecture)) await lecture.finish(pollMs);
        if (lecture.writer.translator.pendingCount === 0) await lecture.stored.flush(pollMs);
      }
      // Waits even if a step failed at once, so that the server is not called in a tight loop.
      const restMs = pollMs - Math.max(0, this.clock.now() - startedAt);
      if (isUnfinished() && restMs > 0) await pause(this.clock, restMs);
    }
    if (this.#removeFromBackground(lecture)) lecture.dispose();
    this.onBackgroundChange();
  }
}
