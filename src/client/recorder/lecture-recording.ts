import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { LectureDetails } from "#client/lecture/lecture-details.ts";
import type { LectureHandle } from "#client/lecture/lectures.ts";
import type { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import type { StoredLecture } from "#client/lecture/saving/stored-lecture.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { LectureRecognition } from "#client/recognition/browser/lecture-recognition.ts";
import type { RecognitionEngine } from "#client/recognition/browser/recognition-engine.ts";
import type { RecognitionFailure } from "#client/recognition/browser/web-speech.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { getTextEnd } from "#client/recognition/heard-takes.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type {
  ConnectionState,
  SpeechEngine,
  SpeechProblem,
} from "#client/recognition/speech-engine.ts";
import { type SessionNotice, toMissingNotice } from "#client/recorder/notices.ts";
import { sourceLevels } from "#client/sound/display/sound-sources.ts";
import type { SourceLevels } from "#client/sound/display/source-levels.ts";
import { getTakeLanguages, type TakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { LanguagePair, SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { LectureInfo } from "#shared/lecture.ts";
import { topicMaxLength } from "#shared/limits.ts";
import type { AudioCodec, RelayAllowance } from "#shared/relay.ts";
import { LectureTakes, type LectureText } from "./lecture-takes.ts";
import type { SessionPorts } from "./session-ports.ts";
import { TakeAdoption } from "./take-adoption.ts";

/**
 * The recording of one open lecture: connects the lecture with its takes and its recognition. It goes on in `Recordings`
 * when another lecture is opened.
 */
export class LectureRecording {
  readonly lectureId: string;
  readonly lecture: EditableLecture;
  /** Parts of `lecture`. */
  readonly writer: TranscriptWriter;
  readonly details: LectureDetails;
  readonly stored: StoredLecture;
  readonly takes: LectureTakes;
  readonly recognition: LectureRecognition;
  readonly adoption: TakeAdoption;
  /** The lecture was recorded and paused, or loaded with content. */
  hasRecording = false;
  /** The person has recorded into this lecture since it was opened. */
  #hasStreamed = false;
  /** Of the sound that was captured last, from two sources. */
  #levels: SourceLevels | null = null;
  #isDisposed = false;
  /** Into which the speech service has refused to translate. */
  readonly #refusedTargets = new Set<TranslationLanguage>();
  readonly #disconnect: () => void;

  /** `handle`: it ends with this recording. */
  constructor(
    private readonly deps: Deps,
    private readonly handle: LectureHandle,
  ) {
    const { ports } = deps;
    const { lecture } = handle;
    this.lecture = lecture;
    this.lectureId = lecture.lectureId;
    this.writer = lecture.writer;
    this.details = lecture.details;
    this.stored = lecture.stored;
    const text = connectTextWithTakes(lecture, deps.diarization, (languages) =>
      this.#findStreamTarget(languages),
    );
    const onMissing = (ms: number) => deps.notify(toMissingNotice(ms));
    this.takes = new LectureTakes(
      {
        lectureId: this.lectureId,
        userId: deps.userId,
        ports,
        text,
        openReaders: (live) =>
          live.createReaders({
            clock: ports.clock,
            log: ports.log,
            transport: ports.transport,
            random: ports.random,
            settings: text.settings,
            hintSource: text.hintSource,
            getLastText: text.getLastText,
            path: (takesOver) => deps.path(this.lectureId, takesOver),
            getModel: deps.openSpeechModel,
            getClockEndMs: () => this.takes.placedEndMs,
            onAllowance: deps.onAllowance,
            onBusy: deps.onBusy,
            onRefusedChunk: onMissing,
            onTranslationRefused: (language) => {
              this.#refusedTargets.add(language);
              this.writer.translator.endExpecting();
              deps.notify({ kind: "translationNotInStream", language });
            },
          }),
        keepsSound: deps.keepsSound,
        onKeptRemoved: () => deps.notify({ kind: "soundNotKept" }),
        onMissing,
        onStorageState: () => {
          if (this.takes.storageState !== "ok") deps.onStorageFull();
          deps.onChange();
        },
        onProgress: () => {
          this.#releaseSavedAudio();
          deps.onChange();
        },
        onComplete: () => this.#onComplete(),
        onEnd: (end) => this.#onEnd(end),
      },
      lecture.recordedSeconds * 1_000,
    );
    this.adoption = new TakeAdoption({
      ports,
      lectureId: this.lectureId,
      userId: deps.userId,
      takes: this.takes,
      rows: () => this.writer.transcript.rows(),
      isDisposed: () => this.isDisposed,
      onAdopted: () => this.#releaseSavedAudio(),
      notify: deps.notify,
    });
    this.recognition = new LectureRecognition({
      ports,
      hintSource: text.hintSource,
      openSource: (onReplaced) => this.writer.openSource(onReplaced),
      getClockEndMs: () => this.takes.clockEndMs,
      isCaptured: () => this.takes.isCapturing,
      onClock: (ms) => {
        this.takes.extendClock(ms);
        deps.onChange();
      },
      onRecognized: (ms) => {
        this.takes.heard.acknowledgeUntil(ms);
        this.#releaseSavedAudio();
      },
      onSoundMissed: (live, hearsSinceMs) => {
        this.takes.heard.leave(hearsSinceMs);
        void this.takes.splitTake(live);
      },
      onChange: () => deps.onChange(),
      onFailure: (reason) => {
        this.takes.heard.leave();
        deps.onRecognitionFailed(reason);
      },
    });
    this.#disconnect = lecture.connectSound({
      onSaved: () => this.#releaseSavedAudio(),
      onRowsAdded: (count) => this.adoption.onRowsAdded(count),
      isInvented: (sentence) => this.takes.isInvented(sentence),
      findSpeaker: (sentence) => this.#levels?.findSpeaker(sentence, this.takes.clockEndMs) ?? null,
    });
  }

  /** Of the room, or of the browser's recognition where that is used. */
  get connection(): ConnectionState {
    const { state } = this.recognition;
    return state === "idle" ? this.takes.recognition.state : state;
  }

  /** Why words are missing; null: none are, as far as is known. */
  get speechProblem(): SpeechProblem | null {
    if (!this.lecture.isRecording && this.takes.waitingMs === 0) return null;
    const { problem, state } = this.recognition;
    // The takes' problem may be an earlier recording's.
    return problem !== null || state !== "idle" ? problem : this.takes.recognition.problem;
  }

  /** In which sound that is captured from now on is recognised. */
  get languages(): TakeLanguages {
    return getTakeLanguages(this.writer.languages);
  }
  get recordedSeconds(): number {
    return Math.floor(this.takes.clockEndMs / 1_000);
  }
  /** A new take is kept after its words are saved. */
  get keepsSound(): boolean {
    return this.deps.keepsSound();
  }
  /** Captured audio that waits for the room, whole seconds. */
  get unsentSeconds(): number {
    return Math.floor(this.takes.sendableMs / 1_000);
  }
  get hasUnsentAudio(): boolean {
    return this.takes.unsentMs > 0;
  }
  /** Audio waits for the room, which has not refused it for good. */
  get hasSendableAudio(): boolean {
    return this.takes.sendableMs > 0 && this.takes.recognition.end === null;
  }
  /** Audio whose engine has failed, whole seconds. */
  get waitingSeconds(): number {
    return Math.floor(this.takes.waitingMs / 1_000);
  }
  get canResume(): boolean {
    return this.lecture.hasContent || this.takes.clockEndMs > 0;
  }
  get isEmpty(): boolean {
    return !this.canResume && !this.adoption.isDue && this.details.isEmpty;
  }
  get isDisposed(): boolean {
    return this.#isDisposed || this.lecture.isDisposed;
  }
  /** Closing the page now would lose something. */
  get hasUnsavedChanges(): boolean {
    if (this.isDisposed) return false;
    if (this.lecture.hasUnsavedChanges) return true;
    if (this.deps.identity === "guest") return false;
    return this.stored.isCreated ? this.takes.hasUnpersistedAudio : this.hasUnsentAudio;
  }

  /** Starts a take. It comes after those that closed tabs have left. */
  async startTake(live: LivePath, codec: AudioCodec, engine: SpeechEngine): Promise<void> {
    await this.adoption.whenIdle();
    await this.takes.startTake(live, codec, engine);
  }

  /** `level`: see `measureLevel`. */
  appendAudio(data: Uint8Array<ArrayBuffer>, level: number): void {
    // The microphone delivers its last chunk even after the lecture was deleted.
    if (this.isDisposed) return;
    this.takes.append(data, level);
    this.#levels = sourceLevels.get();
    this.recognition.onSound(this.takes.chunkMs, level);
    this.deps.onChange();
  }

  endTake(): void {
    this.lecture.isRecording = false;
    this.takes.endTake();
    this.endHeard();
    this.deps.onChange();
  }

  #findStreamTarget(languages: LanguagePair): TranslationLanguage | null {
    const { targetLanguage } = languages;
    if (targetLanguage === "none" || this.#refusedTargets.has(targetLanguage)) return null;
    return this.deps.translatesInStream(languages) ? targetLanguage : null;
  }

  /** Has `engine`, which is not the browser, recognise the take. */
  startStreaming(engine: SpeechEngine): void {
    this.lecture.isRecording = true;
    this.#hasStreamed = true;
    this.recognition.replace();
    this.#leaveReader(engine);
    this.takes.recognition.start(true);
  }

  /** Recognises in the browser; nothing is sent to the room. Resolves when it listens or has failed. */
  async startRecognition(
    live: LivePath,
    engine: RecognitionEngine | null,
    getTrack: () => MediaStreamTrack | null,
  ): Promise<void> {
    this.lecture.isRecording = true;
    await this.recognition.start(live, engine, getTrack);
  }

  /** Ends the browser's recognition while sound is captured. */
  async leaveRecognition(): Promise<void> {
    const { clockEndMs, heard } = this.takes;
    await this.recognition.stop();
    if (this.recognition.hasAllWords) heard.acknowledgeUntil(clockEndMs);
    heard.leave();
  }

  /** Has `engine` recognise what has no words, and what is captured from now on. */
  recognizeWith(live: LivePath, engine: SpeechEngine): void {
    if (this.takes.isReadBy(engine)) return;
    this.recognition.replace();
    this.takes.heard.leave();
    this.#leaveReader(engine);
    this.lecture.isRecording = this.takes.isCapturing;
    this.takes.recognizeWith(live, engine);
  }

  /** Has what the room has refused recognised, unasked: a failure is not shown. Not while the person records. */
  retryRefused(): void {
    const { recognition, sendableMs } = this.takes;
    if (this.lecture.isRecording || recognition.end === null || sendableMs === 0) return;
    this.#hasStreamed = false;
    this.adoption.track(sendableMs);
    recognition.start(false);
  }

  wake(): void {
    this.takes.recognition.wake();
    this.recognition.wake();
    // Captured without a network, and nothing recognises it yet: it has to be found in the library.
    if (!this.stored.isCreated && this.hasUnsentAudio) this.stored.create().catch(() => {});
  }

  /**
   * Waits for the last words and translations, at most `timeoutMs` or until `signal` aborts. `answeringMs`: so long while
   * the recogniser still answers within `timeoutMs`.
   */
  async finish(timeoutMs: number, answeringMs = timeoutMs, signal?: AbortSignal): Promise<void> {
    const { clock } = this.deps.ports;
    const lastMs = clock.now() + answeringMs;
    const getLeftMs = () => Math.min(lastMs, this.takes.answeredAt + timeoutMs) - clock.now();
    const complete = async () => {
      await this.takes.recognition.complete();
      await new Promise<void>((resolve) => this.writer.translator.whenIdle(resolve));
    };
    await withTimeout(clock, timeoutMs, complete, signal, getLeftMs).catch(() => {});
  }

  /** Turns the live line into rows and disconnects. Unsent audio stays in its takes. */
  closeConnection(): void {
    this.lecture.isRecording = false;
    this.recognition.dispose();
    this.endHeard();
    this.#commitLiveText();
    this.takes.close();
  }

  /** Ends the recording. Its lecture stays open until everything is saved. */
  close(): void {
    this.#end();
    this.handle.close();
  }

  /** Ends the recording. Its lecture stays open where a page shows it; else what is not saved is dropped. */
  dispose(): void {
    this.#end();
    this.handle.discard();
  }

  #end(): void {
    this.#isDisposed = true;
    this.recognition.dispose();
    this.takes.dispose();
    this.#disconnect();
  }

  /** What the browser has heard to its end has all its words. */
  endHeard(): void {
    if (this.recognition.hasAllWords) this.takes.heard.acknowledgeAll();
    else this.takes.heard.leave();
  }

  /** Another engine than `engine` may still read: only a reader that goes on gives what is interim again. */
  #leaveReader(engine: SpeechEngine): void {
    if (!this.takes.recognition.isReading(engine)) this.#commitLiveText();
  }

  #commitLiveText(): void {
    this.writer.commit();
    this.takes.recognition.updateHeldMs();
  }

  #onComplete(): void {
    this.#commitLiveText();
    this.adoption.onComplete();
    this.#releaseSavedAudio();
    this.deps.onChange();
  }

  #onEnd(end: RelayEnd): void {
    this.#commitLiveText();
    // A recovery runs without being asked for, so its failure is not shown; the next visit tries again.
    if (end.kind === "notRecognized") this.deps.ports.log.warn(end.reason);
    else if (!this.adoption.isRecovering || this.#hasStreamed) this.deps.onEnd(end);
    else this.deps.ports.log.warn("left-over sound refused", { kind: end.kind });
    this.deps.onChange();
  }

  /** Deletes stored audio whose words are saved, and the translations that have come with them. */
  #releaseSavedAudio(): void {
    const { newStartMs } = this.stored;
    if (newStartMs === null || this.isDisposed) return;
    const liveStartMs = this.writer.transcript.live.get()?.startMs ?? Infinity;
    const getSaved = (id: string) => this.stored.getStoredRow(id)?.translated;
    const untranslatedMs = this.writer.translator.getUnsavedStreamedMs(getSaved);
    this.takes.release(Math.min(newStartMs, liveStartMs, untranslatedMs));
  }
}

interface Deps {
  ports: SessionPorts;
  identity: "user" | "guest";
  /** Whose audio is stored; null: nobody's. */
  userId: string | null;
  diarization(): boolean;
  path(lectureId: string, takesOver: boolean): Promise<string>;
  onChange(): void;
  /** Whether a new take is kept after its words are saved. */
  keepsSound(): boolean;
  /** The speech service is to translate a lecture in these languages in its stream. */
  translatesInStream(languages: LanguagePair): boolean;
  /** The disk is full; audio is kept in memory. */
  onStorageFull(): void;
  notify(notice: SessionNotice): void;
  openSpeechModel(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  onRecognitionFailed(reason: RecognitionFailure): void;
  onAllowance(message: RelayAllowance): void;
  /** The provider is tried again in about so many seconds; null: it has a free stream. */
  onBusy(seconds: number | null): void;
  /** The room refuses for good. Unsent audio stays in its takes. */
  onEnd(end: RelayEnd): void;
}

/** As far as a person wrote it. */
const getTopic = (lecture: LectureInfo | null): string =>
  lecture?.titleSource === "person" ? lecture.title.slice(0, topicMaxLength) : "";

export function connectTextWithTakes(
  document: EditableLecture,
  diarization: () => boolean,
  /** What the speech service is to translate into in its stream; null: it is not. */
  getStreamTarget: (languages: LanguagePair) => TranslationLanguage | null,
): LectureText {
  const { writer, details, recorded, stored } = document;
  return {
    hintSource: {
      getTerms: () => document.terms.get(),
      getLanguages: () => writer.languages,
      getRows: () => writer.transcript.rows(),
      getTopic: () => getTopic(stored.lecture),
    },
    settings: () => ({
      diarization: diarization(),
      context: details.context.trimmedText,
      lectureEndMs: writer.finalMs,
      translateInto: getStreamTarget(writer.languages),
    }),
    languages: () => getTakeLanguages(writer.languages),
    openSource: (isWanted, onReplaced) =>
      writer.hasSource && !isWanted ? null : writer.openSource(onReplaced),
    getLastText: () => getTextEnd(writer.transcript.rows()),
    commitWords: () => {
      writer.commit();
      return { text: getTextEnd(writer.transcript.rows()), endMs: writer.finalMs };
    },
    onDemoVoice: () => details.markDemoText(),
    onReport: (report, isDue) => document.reportTake(report, isDue),
    isReported: (takeId) => recorded.isSaved(takeId),
  };
}
