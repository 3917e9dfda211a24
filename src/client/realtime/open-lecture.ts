import type { ErrorCode } from "#shared/errors.ts";
import type { SourceLanguage, TargetLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { saveWaitMs } from "#shared/limits.ts";
import type { AudioEncoding, RelayAllowance } from "#shared/relay.ts";
import { getTargetLanguage, type InitialState, toTranscriptRows } from "./lecture/initial-state.ts";
import { LectureDetails } from "./lecture/lecture-details.ts";
import type { RelayEnd } from "./relay/relay-end.ts";
import type { MergedRows } from "./saving/auto-save.ts";
import { StoredLecture } from "./saving/stored-lecture.ts";
import { ApiError, type SessionApi } from "./server-api.ts";
import type { LivePath, SessionPorts } from "./session-ports.ts";
import { LectureTakes } from "./takes/lecture-takes.ts";
import { withTimeout } from "./timeouts-and-retries.ts";
import { LiveTranscript } from "./transcript/live-transcript.ts";
import type { SaveState, TranscriptTransfer } from "./types.ts";

/** A storage that takes longer to answer is taken for one that does not. */
const readMs = 5_000;

/** One open lecture: its rows and notes, the way of its sound and its saving. Goes on when another is opened. */
export class OpenLecture {
  readonly transcript: LiveTranscript;
  readonly details: LectureDetails;
  readonly takes: LectureTakes;
  readonly stored: StoredLecture;
  readonly lectureId: string;
  /** It was recorded and paused, or loaded with content. */
  hasRecording = false;
  readonly #deps: OpenLectureDeps;
  /** Seconds of earlier sound that is being made words, and the rows that there were before. */
  #recovery: { seconds: number; rows: number } | null = null;
  /** Looking for sound that tabs which are gone have left. */
  #adoption: Promise<void> | null = null;
  /** That could not be done yet. */
  #isAdoptionDue = false;
  /** Sound flows, or is to. */
  #isStreaming = false;
  /** It did at some time. */
  #hasStreamed = false;
  #isDisposed = false;

  constructor(deps: OpenLectureDeps, opening: InitialState) {
    const { api, ports, identity } = deps;
    const { log } = ports;
    this.#deps = deps;
    this.lectureId = opening.lectureId;
    this.stored = new StoredLecture(
      {
        ...deps,
        lectureId: this.lectureId,
        store: () => this.transcript.store,
        row: (position) => this.transcript.entry(position),
        language: () => this.transcript.language,
        merge: (stored) => this.#merge(stored),
        onSaved: () => this.#releaseSavedAudio(),
      },
      opening,
    );
    this.details = new LectureDetails(
      {
        ...deps,
        log,
        lectureId: this.lectureId,
        english: () => this.transcript.store.english(),
        saveLecture: () => this.#saveAll(),
        onSave: (fields) => this.stored.changeFields(fields),
      },
      opening,
    );
    this.transcript = new LiveTranscript(
      {
        ...ports,
        translate: api.translate,
        wordContext: () => this.details.context.trimmedText,
        onRowChange: (position) => this.stored.markRowChanged(position),
        onFailed: deps.onTranslationFailed,
      },
      opening,
    );
    const { wordCount } = this.transcript.store;
    wordCount.subscribe(() => this.details.context.onWordCount(wordCount.get()));
    this.takes = new LectureTakes(
      {
        ...deps,
        ...ports,
        lectureId: this.lectureId,
        isStored: identity === "user",
        path: (takesOver) => deps.path(this.lectureId, takesOver),
        settings: () => ({
          language: deps.sourceLanguage,
          diarization: deps.diarization(),
          context: this.details.context.trimmedText,
        }),
        wordsEndMs: () => this.transcript.finalMs,
        onTokens: (batch, heldToMs) => {
          this.transcript.addTokens(batch, heldToMs, deps.diarization());
          this.takes.updateHeldMs(this.transcript.finalMs);
        },
        onDiscontinuity: () => this.transcript.endSentence(),
        onProgress: () => {
          this.#releaseSavedAudio();
          deps.onChange();
        },
        onComplete: () => this.#onComplete(),
        onEnd: (end) => this.#onEnd(end),
      },
      opening.recordedSeconds * 1_000,
    );
  }

  /** How the saving stands; what is not in a row yet, or not translated, is not saved. */
  get saveState(): SaveState {
    const { state } = this.stored;
    if (state !== "saved" || this.#isStreaming) return state;
    const nowhere = !this.stored.isCreated && this.hasContent;
    const pending = nowhere || this.hasPendingText;
    return pending ? "unsaved" : state;
  }
  get recordedSeconds(): number {
    return Math.floor(this.takes.clockEndMs / 1_000);
  }
  get hasContent(): boolean {
    return this.transcript.store.length > 0 || this.transcript.hasLiveText;
  }
  /** Captured sound that the room has not acknowledged, whole seconds. */
  get unsentSeconds(): number {
    return Math.floor(this.takes.unsentMs / 1_000);
  }
  get hasUnsentAudio(): boolean {
    return this.takes.unsentMs > 0;
  }
  /** Sound is left that can still become words. */
  get hasSendableAudio(): boolean {
    return this.hasUnsentAudio && this.takes.end === null;
  }
  get canResume(): boolean {
    return this.hasContent || this.takes.clockEndMs > 0;
  }
  get isEmpty(): boolean {
    return !this.canResume && this.details.isEmpty;
  }
  get hasPendingText(): boolean {
    return this.transcript.hasLiveText || this.transcript.pendingTranslations > 0;
  }
  get hasUnsavedChanges(): boolean {
    if (this.#isDisposed) return false;
    if (this.#deps.identity === "guest") return this.hasContent;
    if (!this.stored.isCreated) return this.hasContent || this.hasUnsentAudio;
    const { isGenerating } = this.details.summary;
    return (
      !this.stored.isSaved || this.hasPendingText || this.takes.hasUnpersistedAudio || isGenerating
    );
  }

  /** Begins a take, behind those that tabs which are gone have left. */
  async startTake(live: LivePath): Promise<void> {
    await this.#adoption;
    await this.takes.startTake(live);
  }

  appendAudio(data: Uint8Array<ArrayBuffer>): void {
    // The microphone delivers its last chunk a moment after a lecture was deleted.
    if (this.#isDisposed) return;
    this.takes.append(data);
    this.#deps.onChange();
  }

  endTake(): void {
    this.takes.endTake();
    this.#deps.onChange();
  }

  startStreaming(): void {
    this.#isStreaming = true;
    this.#hasStreamed = true;
    this.takes.start(true);
  }

  wake(): void {
    this.takes.wake();
    this.transcript.wake();
    if (this.#isAdoptionDue) void this.recoverAudio();
    // What was recorded without a lecture could not be saved so far.
    if (!this.stored.isCreated && this.hasContent) this.stored.create().catch(() => {});
  }

  /** Takes over the sound that dead tabs have left; what cannot be had now is looked for at the next `wake`. */
  adoptStoredTakes(): Promise<void> {
    this.#adoption ??= this.#findStoredTakes().finally(() => {
      this.#adoption = null;
    });
    return this.#adoption;
  }

  /** As `adopt`, and sends it; the words become rows, and `onRecovered` is called. */
  async recoverAudio(): Promise<void> {
    await this.adoptStoredTakes();
    if (this.hasUnsentAudio && !this.#isDisposed) this.takes.start(false);
  }

  setLanguage(language: TargetLanguage): void {
    this.transcript.setLanguage(language);
    // A lecture that is still to be created is created with it.
    if (this.stored.isCreated) this.stored.changeFields({ targetLanguage: language });
  }

  /** Has what was heard finalised and translated; resolves after `timeoutMs` at the latest. */
  async finish(timeoutMs: number): Promise<void> {
    this.#isStreaming = false;
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#deps.ports.clock.after(timeoutMs, resolve);
    });
    this.takes.endTake();
    await this.takes.completeUpload(timeout);
    const translated = new Promise<void>((resolve) => this.transcript.whenTranslated(resolve));
    await Promise.race([translated, timeout]);
    cancel();
  }

  /** Makes rows of what was heard and closes the connection. Sound without words stays in its takes. */
  closeConnection(): void {
    this.#isStreaming = false;
    this.#commitLiveText();
    this.takes.close();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.takes.dispose();
    this.transcript.dispose();
    this.details.dispose();
    this.stored.dispose();
  }

  /** The lecture is gone: nothing of it is wanted any more, here or at the next visit. */
  discard(): void {
    this.takes.discard();
    this.dispose();
  }

  /** Its sound is wanted as words of `other`, which takes its place. */
  moveTakesTo(other: OpenLecture, live: LivePath): void {
    other.#trackRecovery(this.takes.moveTo(other.takes, live));
  }

  /** What another lecture can take over; null when nothing was said. */
  exportTranscript(): TranscriptTransfer | null {
    const { store, language, finalMs } = this.transcript;
    if (store.length === 0) return null;
    const { context, speakerNames, summary } = this.details;
    const notes = { speakerNames, context: context.text, summary: summary.view.get().text };
    return {
      rows: store.rows(),
      language,
      finalMs,
      recordedSeconds: this.recordedSeconds,
      ...notes,
    };
  }

  #commitLiveText(): void {
    this.transcript.commit();
    this.takes.updateHeldMs(this.transcript.finalMs);
  }

  /** Makes sure that the server has everything that is on the page. @throws ApiError */
  async #saveAll(): Promise<void> {
    await this.stored.create();
    if (!(await this.stored.flush(saveWaitMs))) throw new ApiError("unavailable", true);
  }

  /** Takes in what another page or device has written; see `LiveTranscript.merge`. */
  #merge(stored: Lecture): MergedRows {
    const { store } = this.transcript;
    const before = store.length;
    const language = getTargetLanguage(stored);
    const savedRowCount = this.stored.savedRowCount ?? 0;
    const merged = this.transcript.merge(
      toTranscriptRows(stored, language),
      language,
      savedRowCount,
    );
    if (this.#recovery !== null) this.#recovery.rows += store.length - before;
    this.#deps.onChange();
    return merged;
  }

  async #findStoredTakes(): Promise<void> {
    const { identity, ports, onUnreadable } = this.#deps;
    if (identity === "guest") return;
    this.#isAdoptionDue = false;
    const live = await ports.loadLivePath().catch(() => null);
    if (live === null) {
      this.#isAdoptionDue = true;
      return;
    }
    try {
      const list = async () => (await live.storage?.list(this.lectureId)) ?? [];
      const stored = await withTimeout(ports.clock, readMs, list);
      if (this.#isDisposed) return;
      this.#trackRecovery(await this.takes.adopt(live, stored, this.transcript.store.rows()));
    } catch {
      this.#isAdoptionDue = true;
      ports.log.warn("stored takes not read");
      onUnreadable();
    }
  }

  #trackRecovery(unheardMs: number): void {
    if (unheardMs <= 0) return;
    const rows = this.transcript.store.length;
    this.#recovery = { seconds: Math.ceil(unheardMs / 1_000), rows };
  }

  #onComplete(): void {
    this.#commitLiveText();
    const recovered = this.#recovery;
    this.#recovery = null;
    if (recovered !== null && this.transcript.store.length > recovered.rows) {
      this.#deps.onRecovered(recovered.seconds);
    }
    this.#releaseSavedAudio();
    this.#deps.onChange();
  }

  #onEnd(end: RelayEnd): void {
    this.#commitLiveText();
    // Nobody asked for a recovery: what cannot be had now waits for the next visit.
    if (this.#recovery === null || this.#hasStreamed) this.#deps.onEnd(end);
    else this.#deps.ports.log.warn("left-over sound refused", { kind: end.kind });
    this.#deps.onChange();
  }

  /** Lets the storage forget what is saved. */
  #releaseSavedAudio(): void {
    const { savedRowCount } = this.stored;
    if (savedRowCount === null || this.#isDisposed) return;
    const row = this.transcript.store.row(savedRowCount);
    const starts = [row?.startMs, this.transcript.liveStartMs].filter(
      (ms) => typeof ms === "number",
    );
    this.takes.release(starts.length === 0 ? null : Math.min(...starts));
  }
}

/** What a workspace needs, and whom it tells. */
interface OpenLectureDeps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  encoding: AudioEncoding;
  sourceLanguage: SourceLanguage;
  diarization(): boolean;
  path(recordingId: string, takesOver: boolean): Promise<string>;
  onChange(): void;
  onAllowance(message: RelayAllowance): void;
  /** The room is out of reach for now, and says why. */
  onUnavailable(code: ErrorCode): void;
  onEnd(end: RelayEnd): void;
  /** Sound of an earlier page has become words. */
  onRecovered(seconds: number): void;
  /** The sound that earlier visits may have left cannot be read now. */
  onUnreadable(): void;
  onMissing(seconds: number): void;
  onTranslationFailed(): void;
  onRefused(code: ErrorCode): void;
}
