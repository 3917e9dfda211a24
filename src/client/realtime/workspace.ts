import type { TargetLanguage } from "../../shared/languages.ts";
import type { Lecture } from "../../shared/lecture.ts";
import type { SaveState, WorkingLecture } from "./contract.ts";
import { DeferredLink } from "./deferred-link.ts";
import { LectureNotes } from "./lecture-notes.ts";
import { LiveTranscript } from "./live-transcript.ts";
import { languageOf, type Opening, rowsOf } from "./opening.ts";
import { Recovery } from "./recovery.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import { chunkMs } from "./spool/recording-clock.ts";
import { StoredLecture } from "./stored-lecture.ts";
import type { WorkspaceDeps } from "./workspace-deps.ts";

/** One open lecture: its rows and notes, the way of its sound and its saving. Goes on when another is opened. */
export class Workspace {
  readonly transcript: LiveTranscript;
  readonly notes: LectureNotes;
  /** The way of its sound. Only what it tells is for others; what it does goes through here. */
  readonly link: Pick<
    DeferredLink,
    "state" | "storage" | "waitingSeconds" | "waits" | "volatile" | "ready" | "keepInMemory"
  >;
  readonly recordingId: string;
  /** It was recorded and paused, or loaded with content. */
  heard = false;
  readonly #deps: WorkspaceDeps;
  readonly #link: DeferredLink;
  readonly #stored: StoredLecture;
  readonly #openedSeconds: number;
  readonly #recovery: Recovery;
  /** Sound flows, or is to. */
  #streaming = false;
  /** It did at some time. */
  #streamed = false;
  #disposed = false;

  constructor(deps: WorkspaceDeps, opening: Opening) {
    const { api, ports, identity } = deps;
    const { clock, log, random } = ports;
    this.#deps = deps;
    this.recordingId = opening.link.recordingId;
    this.#openedSeconds = opening.recordedSeconds;
    this.#stored = new StoredLecture(
      {
        ...deps,
        id: this.recordingId,
        store: () => this.transcript.store,
        entry: (position) => this.transcript.entry(position),
        language: () => this.transcript.language,
        merge: (stored) => this.#merge(stored),
        onSaved: () => this.#release(),
      },
      opening,
    );
    this.notes = new LectureNotes(
      {
        api,
        log,
        english: () => this.transcript.store.english(),
        onSave: (fields) => this.#stored.change(fields),
        onChange: deps.onChange,
      },
      opening,
    );
    this.transcript = new LiveTranscript(
      {
        translate: (input, signal) => api.translate(input, signal),
        clock,
        log,
        wordContext: () => this.notes.context.told,
        onRow: (position) => this.#stored.touch(position),
        onFailed: deps.onTranslationFailed,
      },
      opening,
    );
    const { wordCount } = this.transcript.store;
    wordCount.subscribe(() => this.notes.context.wordsGrown(wordCount.get()));
    this.#link = new DeferredLink(
      ports.link,
      {
        transport: ports.transport,
        clock,
        log,
        random,
        encoding: deps.encoding,
        // A guest's rows die with the page, so there is nothing that spooled sound could complete.
        storage: identity === "guest" ? null : ports.spool,
        writer: deps.writer,
        path: () => deps.path(this.recordingId),
        config: () => ({
          diarization: deps.diarization(),
          finalMs: this.transcript.finalMs,
          context: this.notes.context.told,
        }),
        onTokens: (batch, resumedAtMs) =>
          this.transcript.absorb(batch, resumedAtMs, deps.diarization()),
        onAllowance: deps.onAllowance,
        onHeldUp: deps.onHeldUp,
        onProgress: () => {
          this.#release();
          deps.onChange();
        },
        onDrained: () => this.#drained(),
        onEnd: (end) => this.#ended(end),
        onMissing: deps.onMissing,
      },
      opening.link,
    );
    this.link = this.#link;
    const { heldFrom, nextSeq, provisional } = opening.link;
    // Of sound that is behind what others have said since, all is without words.
    const wordsMs = provisional ? heldFrom * chunkMs : opening.finalMs;
    const lostMs = heldFrom < nextSeq ? nextSeq * chunkMs - wordsMs : 0;
    this.#recovery = new Recovery(
      heldFrom < nextSeq ? Math.max(lostMs, 1) : 0,
      opening.rows.length,
    );
  }

  get lecture(): WorkingLecture | null {
    return this.#stored.working;
  }
  /** The lecture exists on the server. */
  get created(): boolean {
    return this.#stored.created;
  }
  /** How the saving stands; what is not in a row yet, or not translated, is not saved. */
  get save(): SaveState {
    const { state } = this.#stored;
    if (state !== "saved" || this.#streaming) return state;
    const nowhere = !this.created && this.hasContent;
    const pending =
      nowhere || this.unfinished || this.#link.owes || this.#link.state === "draining";
    return pending ? "unsaved" : state;
  }
  /** Refusals in a row to save it. */
  get refusals(): number {
    return this.#stored.refusals;
  }
  get recordedSeconds(): number {
    return Math.max(this.#openedSeconds, Math.floor(this.#link.recordedMs / 1_000));
  }
  get hasContent(): boolean {
    return this.transcript.store.length > 0 || this.transcript.hasLiveText;
  }
  /** Sound is left that can still become words. */
  get drainable(): boolean {
    return this.#link.waits && !this.#link.ended;
  }
  /** There is sound or text to go on with. */
  get resumable(): boolean {
    return this.hasContent || this.#openedSeconds > 0 || this.#link.recordedMs > 0;
  }
  /** Nothing was said into it or noted. */
  get untouched(): boolean {
    return !this.resumable && this.notes.empty;
  }
  /** Words or their translations are still on their way. */
  get unfinished(): boolean {
    return this.transcript.hasLiveText || this.transcript.pendingTranslations > 0;
  }
  /** Closing the page now would lose something. */
  get unsaved(): boolean {
    if (this.#disposed) return false;
    if (this.#deps.identity === "guest") return this.hasContent;
    if (!this.created) return this.hasContent || this.#link.waits;
    const { generating } = this.notes.summary;
    return !this.#stored.clean || this.unfinished || this.#link.volatile || generating;
  }

  /** Makes sure that the lecture exists on the server, as a draft. @throws ApiError */
  create(signal?: AbortSignal): Promise<void> {
    return this.#stored.create(signal);
  }

  addSound(pcm: Uint8Array<ArrayBuffer>): void {
    // The microphone delivers its last chunk a moment after a lecture was deleted.
    if (this.#disposed) return;
    this.#link.add(pcm);
    this.#deps.onChange();
  }

  stream(): void {
    this.#streaming = true;
    this.#streamed = true;
    this.#link.stream();
  }

  wake(): void {
    this.#link.wake();
    this.transcript.wake();
    // What was recorded without a lecture could not be saved so far.
    if (!this.created && this.hasContent) this.create().catch(() => {});
  }

  /** Sends what an earlier page left; the words become rows, and `onRecovered` is called. */
  recover(): void {
    if (this.#recovery.pending) void this.#link.drain(new Promise(() => {}));
  }

  setLanguage(language: TargetLanguage): void {
    this.transcript.setLanguage(language);
    // A lecture that is still to be created is created with it.
    if (this.created) this.#stored.change({ targetLanguage: language });
  }

  /** Has what was heard finalised and translated; resolves after `timeoutMs` at the latest. */
  async finish(timeoutMs: number): Promise<void> {
    this.#streaming = false;
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#deps.ports.clock.after(timeoutMs, resolve);
    });
    await this.#link.drain(timeout);
    const translated = new Promise<void>((resolve) => this.transcript.whenTranslated(resolve));
    await Promise.race([translated, timeout]);
    cancel();
  }

  /** The lecture was given another name. */
  rename(title: string): void {
    this.#stored.rename(title);
  }

  /** Saves now; true when the server has confirmed everything within `timeoutMs`. */
  flush(timeoutMs: number): Promise<boolean> {
    return this.#stored.flush(timeoutMs);
  }

  /** The page may be gone any moment: sends what is not saved, as far as the browser carries it. */
  part(): void {
    this.#stored.part();
  }

  /**
   * Makes rows of what was heard and closes the connection. Sound that has no words yet stays in the
   * spool, for the next visit of this lecture.
   */
  abandon(): void {
    this.#streaming = false;
    this.transcript.commit();
    this.#link.close();
  }

  dispose(): void {
    this.#disposed = true;
    this.#link.close();
    this.transcript.dispose();
    this.notes.dispose();
    this.#stored.dispose();
  }

  /** The lecture is gone: nothing of it is wanted any more, here or at the next visit. */
  discard(): void {
    this.dispose();
    this.#link.discard();
  }

  /** Takes in what another page or device has written; see `LiveTranscript.merge`. */
  #merge(stored: Lecture): readonly number[] {
    const { store } = this.transcript;
    const before = store.length;
    const language = languageOf(stored);
    const savedRows = this.#stored.savedRows ?? 0;
    const changed = this.transcript.merge(rowsOf(stored, language), language, savedRows);
    this.#recovery.joined(store.length - before);
    this.#deps.onChange();
    return changed;
  }

  #drained(): void {
    this.transcript.commit();
    const seconds = this.#recovery.finish(this.transcript.store.length);
    if (seconds !== null) this.#deps.onRecovered(seconds);
    this.#release();
    this.#deps.onChange();
  }

  #ended(end: RelayEnd): void {
    this.transcript.commit();
    // Nobody asked for a recovery: what cannot be had now waits for the next visit.
    if (!this.#recovery.pending || this.#streamed) this.#deps.onEnd(end);
    else this.#deps.ports.log.warn("left-over sound refused", { kind: end.kind });
    this.#deps.onChange();
  }

  /** Lets the storage forget what is saved. */
  #release(): void {
    const { savedRows } = this.#stored;
    if (savedRows === null || this.#disposed) return;
    const row = this.transcript.store.row(savedRows);
    const starts = [row?.startMs, this.transcript.liveStartMs].filter(
      (ms) => typeof ms === "number",
    );
    this.#link.release(starts.length === 0 ? null : Math.min(...starts));
  }
}
