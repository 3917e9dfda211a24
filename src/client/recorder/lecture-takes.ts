import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { HeardTakes, leaveHeardRest } from "#client/recognition/heard-takes.ts";
import type { LivePath, TakeReaders } from "#client/recognition/live-path.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { HintSource } from "#client/recognition/speech-hints.ts";
import type { LectureSettings } from "#client/recognition/take-reader.ts";
import { getReaderKind, TakeRecognition } from "#client/recognition/take-recognition.ts";
import type { TakeSpeech } from "#client/recognition/take-speech.ts";
import type { TakesText } from "#client/recognition/take-words.ts";
import type { MicrophoneGap } from "#client/sound/capture/lost-sound.ts";
import { getClockEndMs, getSavedWordsEndMs } from "#client/sound/takes/lecture-clock.ts";
import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import type { Take, TakeEvents } from "#client/sound/takes/take.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { TakeReports } from "#client/sound/takes/take-reports.ts";
import type { LossReason, RecordedTake } from "#shared/recorded-take.ts";
import type { AudioCodec, RelayTokens } from "#shared/relay.ts";
import type { Sentence } from "#shared/segmentation.ts";

/** What the takes of a lecture read of its text, and what they change in it. */
export interface LectureText extends TakesText {
  settings(): LectureSettings;
  hintSource: HintSource;
  /** The last words on the page, final and in order. */
  getLastText(): string;
  /** Of a new take. */
  languages(): TakeLanguages;
  /** See `HeardTakes`. */
  commitWords(): { text: string; endMs: number };
  /** The words that follow are the demo voice's. */
  onDemoVoice(): void;
  /** See `TakeReports`. */
  onReport(report: RecordedTake, isDue: boolean): void;
  /** The last due report of a take is saved. */
  isReported(takeId: string): boolean;
}

interface Deps {
  lectureId: string;
  /** Whose audio it is; null for a guest: audio is kept in memory only, as the rows are. */
  userId: string | null;
  ports: {
    clock: Clock;
    log: Log;
    /** See `SessionPorts`. */
    claim(id: string): Promise<(() => void) | null>;
  };
  openReaders(live: LivePath): TakeReaders;
  text: LectureText;
  /** Whether a new take is kept after its words are saved. */
  keepsSound(): boolean;
  onStorageState(): void;
  /** See `TakeEvents`. */
  onKeptRemoved(): void;
  /** `ms` of audio are lost. */
  onMissing(ms: number): void;
  /** The takes or the connection have changed. */
  onProgress(): void;
  /** All takes are complete. */
  onComplete(): void;
  /** The room refuses for good. Unsent audio stays in its takes. */
  onEnd(end: RelayEnd): void;
}

const sumUnsent = (takes: readonly Take[]): number =>
  takes.reduce((sum, take) => sum + take.unsentMs, 0);

/**
 * Owns the takes of one lecture whose words are not all saved: captures, adopts, releases and moves them. `recognition`
 * gets their words.
 */
export class LectureTakes {
  /** In order, each with the function that releases its claim. */
  readonly #takes = new Map<Take, () => void>();
  readonly recognition: TakeRecognition;
  /** Of the takes that this tab has captured. */
  readonly #speech = new Map<Take, TakeSpeech>();
  #newRelayId = () => "";
  /** End of the lecture's clock without `#takes`, ms. */
  #endMs: number;
  #currentTake: Take | null = null;
  /** The last `changeCodec`. */
  #changing = Promise.resolve();
  /** What recognises new takes. */
  #engine: SpeechEngine = "service";
  /** What the recogniser has answered last, and when, ms since the epoch. */
  #answer = { text: "", at: 0 };
  readonly heard = new HeardTakes(() => this.deps.text.commitWords());
  readonly #reports: TakeReports;

  /** `endMs`: end of the lecture's clock when the lecture was opened, ms. */
  constructor(
    private readonly deps: Deps,
    endMs: number,
  ) {
    this.#endMs = endMs;
    const { text } = deps;
    this.#reports = new TakeReports({ clock: deps.ports.clock, onReport: text.onReport });
    this.recognition = new TakeRecognition({
      openReaders: deps.openReaders,
      text,
      list: () => this.#list(),
      getCapturedEngine: () => (this.isCapturing ? this.#engine : null),
      onReplaced: () => this.#onReplaced(),
      onTokens: (batch, take) => {
        this.#noteAnswer(batch.tokens);
        this.#speech.get(take)?.addWords(batch.tokens, take.offsetMs ?? 0);
        if (batch.isDemoVoice && batch.tokens.length > 0) text.onDemoVoice();
        this.#reports.report(take);
      },
      onUnproven: (take, fromMs) => this.#addWordless(take, fromMs),
      onProgress: () => {
        for (const take of this.#list()) this.#reports.report(take);
        deps.onProgress();
      },
      onComplete: deps.onComplete,
      onEnd: deps.onEnd,
    });
  }

  /** When the recogniser of the takes has said something new, ms since the epoch. */
  get answeredAt(): number {
    return this.#answer.at;
  }
  /** Length of the audio that no engine has recognised or is hearing, ms. */
  get unsentMs(): number {
    return sumUnsent(this.#list().filter((take) => !this.heard.has(take)));
  }
  /** Length of the audio that the room, or this device, is to recognise, ms. */
  get sendableMs(): number {
    return sumUnsent(this.#list().filter((take) => this.recognition.canRead(take)));
  }
  /** Length of the audio that the room, or this device, has not begun to recognise, ms. */
  get unheardMs(): number {
    return Math.max(0, this.sendableMs - this.recognition.heardMs);
  }
  /** Length of the audio whose engine has failed, ms: it waits until the person chooses another one. */
  get waitingMs(): number {
    return this.unsentMs - this.sendableMs;
  }
  /** Closing the tab now would lose captured audio. */
  get hasUnpersistedAudio(): boolean {
    return this.#list().some((take) => take.hasUnpersistedAudio);
  }
  get storageState(): Take["storageState"] {
    const states = this.#list().map((take) => take.storageState);
    if (states.includes("memoryFull")) return "memoryFull";
    return states.includes("full") ? "full" : "ok";
  }
  /** End of the lecture's clock, ms, including takes that the room has not placed yet. */
  get clockEndMs(): number {
    return getClockEndMs(this.#list(), this.#endMs);
  }

  get isCapturing(): boolean {
    return this.#currentTake !== null;
  }
  /** Length of a chunk of the current take, ms. */
  get chunkMs(): number {
    return this.#currentTake?.chunkMs ?? 0;
  }

  /** End of the lecture's clock without takes that are not placed, ms. */
  get placedEndMs(): number {
    const placed = this.#list().filter(({ offsetMs }) => offsetMs !== null);
    return getClockEndMs(placed, this.#endMs);
  }

  /** Words that no take holds reach to `ms` on the lecture's clock. */
  extendClock(ms: number): void {
    this.#endMs = Math.max(this.#endMs, ms);
  }

  /** Starts the take that `append` adds to. */
  async startTake(live: LivePath, codec: AudioCodec, engine: SpeechEngine): Promise<void> {
    this.#engine = engine;
    if (engine === "browser") this.heard.begin();
    this.#currentTake = await this.#addTake(live, this.#newTake(live, codec));
  }

  /**
   * Goes on in a new take with another codec, or null for the same; without effect while nothing is recorded. One change
   * follows another: of two at once, the later take would be dropped, and the other codec's chunks go into the earlier.
   */
  changeCodec(live: LivePath, codec: AudioCodec | null): Promise<void> {
    const change = async () => {
      const before = this.#currentTake;
      if (before === null) return;
      const next = await this.#addTake(live, this.#newTake(live, codec ?? before.codec));
      before.end();
      if (this.#currentTake === before) this.#currentTake = next;
      else if (next !== null) this.#discard(next);
    };
    this.#changing = this.#changing.then(change, change);
    return this.#changing;
  }

  append(data: Uint8Array<ArrayBuffer>, level: number): void {
    const take = this.#currentTake;
    if (take === null) return;
    take.append(data, level);
    this.#speech.get(take)?.add(level);
    this.#reports.onChunk(take);
    this.recognition.sendChunks();
  }

  /** See `TakeSpeech`. Times are on the lecture's clock. */
  isInvented({ original, startMs, endMs }: Sentence): boolean {
    const take = this.#list().findLast(({ offsetMs }) => offsetMs !== null && offsetMs <= startMs);
    if (take === undefined) return false;
    const offsetMs = take.offsetMs ?? 0;
    const speech = this.#speech.get(take);
    return speech?.isInvented(original, startMs - offsetMs, endMs - offsetMs) ?? false;
  }

  /** Notes where somebody has spoken in acknowledged sound from `fromMs` on, on the take's own clock, without any words. */
  #addWordless(take: Take, fromMs: number): void {
    const untilMs = take.lengthMs - take.unsentMs;
    const wordless = this.#speech.get(take)?.findWordless(fromMs, untilMs, take.isComplete) ?? [];
    for (const stretch of wordless) take.addWordless(stretch);
  }

  /** The microphone has not delivered sound of the current take. */
  addGap({ lengthMs, sinceMs, reason, isFilled }: MicrophoneGap): void {
    const take = this.#currentTake;
    if (take === null) return;
    take.addGap({ atMs: Math.max(0, take.lengthMs - sinceMs), lengthMs, reason, isFilled });
    this.#reports.report(take);
  }

  /** No sound comes since `at`, ms since the epoch, until `endGap`. */
  beginGap(reason: LossReason, at: number): void {
    if (this.#currentTake !== null) this.#reports.beginGap(this.#currentTake, reason, at);
  }

  /** It has lasted `lengthMs`. */
  endGap(lengthMs: number): void {
    this.#reports.endGap(lengthMs);
  }

  /** The gap that goes on stays so when the recording has stopped, until it goes on in another take. */
  leaveGap(): void {
    this.#reports.leaveGap();
  }

  /** The browser's recognition hears from now on: what follows is another take. */
  async splitTake(live: LivePath): Promise<void> {
    this.#engine = "browser";
    this.heard.begin();
    await this.changeCodec(live, null);
  }

  /** `engine` recognises everything already. */
  isReadBy(engine: SpeechEngine): boolean {
    const waiting = this.#list().filter((take) => !take.isComplete);
    return this.recognition.state !== "idle" && waiting.every((take) => take.engine === engine);
  }

  /** Has `engine` recognise what waits, and what is captured from now on. */
  recognizeWith(live: LivePath, engine: SpeechEngine): void {
    this.#engine = engine;
    for (const take of this.#list()) {
      if (take.isComplete || take.engine === engine) continue;
      take.setEngine(engine);
      if (getReaderKind(engine) === "room") take.placeAnew(this.#newRelayId());
      this.recognition.add(live, take);
    }
    this.recognition.start(true);
  }

  endTake(): void {
    const take = this.#currentTake;
    this.#currentTake = null;
    if (take === null) return;
    take.end();
    this.#reports.report(take);
  }

  /** Ends the current take and deletes its audio. */
  discardTake(): void {
    const take = this.#currentTake;
    this.#currentTake = null;
    if (take !== null) this.#discard(take);
  }

  /**
   * Takes over takes that closed tabs have left. `rows`: the lecture's saved rows.
   *
   * @returns length of the audio without words that the room recognises, ms.
   */
  async adopt(
    live: LivePath,
    stored: readonly StoredTake[],
    rows: readonly TranscriptRow[],
  ): Promise<number> {
    let untranscribedMs = 0;
    for (const take of stored) {
      if (this.#list().some(({ id }) => id === take.id)) continue;
      const heldMs = getSavedWordsEndMs(take, rows);
      const adopted = await this.#addTake(live, take, { heldMs });
      if (adopted === null) continue;
      if (getReaderKind(take.engine) !== null) untranscribedMs += adopted.untranscribedMs;
      else if (take.repeated === null) leaveHeardRest(adopted, rows);
      this.#reports.report(adopted);
    }
    return untranscribedMs;
  }

  /** Disconnects. Unsent audio stays in its takes. */
  close(): void {
    this.endTake();
    this.recognition.close();
  }

  /** Deletes audio whose words are saved. `unsavedMs`: see `Take.release`. */
  release(unsavedMs: number): void {
    const takes = this.#list();
    for (const take of takes) {
      this.#reports.report(take);
      take.release(unsavedMs, this.deps.text.isReported(take.id));
    }
    this.#dropTakes(takes.filter((take) => take.isRemoved));
  }

  /** Disconnects and releases the claims; stored takes are left for another visit. */
  dispose(): void {
    this.endTake();
    this.recognition.dispose();
    this.#dropTakes(this.#list());
  }

  /** Leaves without words what is not recognised of takes that have ended. */
  skipRest(): void {
    this.recognition.close();
    for (const take of this.#list().filter(({ hasEnded }) => hasEnded)) {
      if (take.offsetMs === null) take.place(this.placedEndMs);
      take.acknowledge(take.nextSeq);
    }
    this.deps.onProgress();
  }

  /**
   * Moves every take to another lecture.
   *
   * @returns length of the audio without words, ms.
   */
  moveTo(other: LectureTakes, live: LivePath): number {
    this.close();
    let untranscribedMs = 0;
    for (const [take, release] of this.#takes) {
      untranscribedMs += take.untranscribedMs;
      take.moveTo(other.deps.lectureId, other.#takeEvents);
      other.#attachTake(live, take, release);
    }
    this.#takes.clear();
    return untranscribedMs;
  }

  #newTake(live: LivePath, codec: AudioCodec): StoredTake {
    const { lectureId, ports, keepsSound, text } = this.deps;
    const take = live.newTake(lectureId, codec, ports.clock.now());
    return { ...take, ...text.languages(), isKept: keepsSound(), engine: this.#engine };
  }

  async #addTake(live: LivePath, record: StoredTake, stored?: { heldMs: number }) {
    const { ports, userId } = this.deps;
    const { claim, clock, log } = ports;
    const release = await claim(record.id);
    if (release === null) return null;
    const storage = userId === null ? null : live.openStorage(userId);
    const take = new live.Take({ storage, clock, log, events: this.#takeEvents }, record, stored);
    if (take.engine === "browser" && stored === undefined) {
      // What is heard live has no other place than the end.
      take.place(this.clockEndMs);
      this.heard.add(take);
    }
    if (stored === undefined) this.#speech.set(take, new live.TakeSpeech(take.chunkMs));
    this.#attachTake(live, take, release);
    return take;
  }

  get #takeEvents(): TakeEvents {
    const { onKeptRemoved, onMissing, onStorageState } = this.deps;
    const onLoaded = () => this.recognition.sendChunks();
    return { onLoaded, onStorageState, onKeptRemoved, onMissing };
  }

  #attachTake(live: LivePath, take: Take, release: () => void): void {
    this.#takes.set(take, release);
    this.#newRelayId = () => this.#newTake(live, take.codec).id;
    this.recognition.add(live, take);
  }

  #discard(take: Take): void {
    take.remove();
    this.#releaseClaim(take);
  }

  #dropTakes(takes: readonly Take[]): void {
    this.#endMs = getClockEndMs(takes, this.#endMs);
    for (const take of takes) this.#releaseClaim(take);
  }

  #releaseClaim(take: Take): void {
    this.#takes.get(take)?.();
    this.#takes.delete(take);
    this.#speech.delete(take);
  }

  /** The room repeats what it has said, while its server says nothing. */
  #noteAnswer(tokens: RelayTokens["tokens"]): void {
    const text = tokens.map((token) => token.text).join("");
    const isNew = text !== this.#answer.text || tokens.some((token) => token.is_final);
    if (isNew) this.#answer = { text, at: this.deps.ports.clock.now() };
  }

  readonly #list = (): Take[] => [...this.#takes.keys()];

  /** The words that follow are not the takes', so the rest of each take is placed after them. */
  #onReplaced(): void {
    if (this.#engine !== "browser") this.endTake();
    this.recognition.close();
    for (const take of this.#list()) if (!take.isComplete) take.placeAnew(this.#newRelayId());
  }
}
