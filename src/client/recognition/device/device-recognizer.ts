import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { ConnectionState } from "#client/recognition/speech-engine.ts";
import { type HintSource, SpeechHints } from "#client/recognition/speech-hints.ts";
import type { LectureSettings, ReaderEvents } from "#client/recognition/take-reader.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { getWordsEndMs } from "#client/sound/takes/lecture-clock.ts";
import type { Take } from "#client/sound/takes/take.ts";
import { canRecognize } from "#shared/engine-languages.ts";
import { getSpace } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import { CurrentModel } from "./current-model.ts";
import { countEncoderThreads } from "./encoder-threads.ts";
import type { WindowResult } from "./recognition-window.ts";
import { RecognitionWindows } from "./recognition-windows.ts";
import { DecoderMissingError, SoundReader } from "./sound-reader.ts";
import type { HypothesisWord, SpeechModel } from "./speech-model.ts";
import {
  type DetectorState,
  SpeechModelError,
  type SpeechModelErrorCode,
} from "./speech-model-messages.ts";
import { WindowPace } from "./window-pace.ts";

/** Why the recognition on this device has ended. `DeviceRecognizer.start` tries again. */
export type RecognizerEnd =
  /** The model's files are not on this device. */
  | { kind: "modelMissing" }
  /** No model on this device knows the take's language, or it has several. */
  | { kind: "noLanguage" }
  /** Two models in a row have failed, or could not be loaded; `code`: the second. */
  | { kind: "modelFailed"; code: SpeechModelErrorCode }
  /** This browser does not decode the takes' codec. */
  | { kind: "codecNotSupported" };

export interface RecognizerDeps {
  clock: Clock;
  log: Log;
  /** See `CurrentModel`. */
  getModel(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  /** `lectureEndMs`: end of the last final word on the page. */
  settings(): Pick<LectureSettings, "lectureEndMs">;
  hintSource: HintSource;
  /** End of the lecture's clock without takes that are not placed, ms. */
  getClockEndMs(): number;
  /** The last words on the page, final and in order; a dozen are enough. */
  getLastText(): string;
  /** A chunk could not be decoded, and silence of `ms` took its place. */
  onRefusedChunk(ms: number): void;
}

/** What the recogniser uses of the device that it runs on. */
interface Device {
  decodeOpus: DecodeOpus;
  /** It computes less often, to last longer. */
  isOnBattery(): boolean;
}

/** Sound before the first word without text that is recognised again, to find where the words go on. */
const leadInMs = 5_000;
/** Sound that stays unacknowledged behind the last final word: another engine that takes over begins there. */
const keptMs = 2_000;
/** Words of another source have come between a take's words and its rest. */
const interruptedMs = 2_000;
/** Speech without words before and after a shorter pause is one stretch. */
const wordlessPauseMs = 2_000;

/** The take whose sound is being recognised. */
interface OpenTake {
  readonly take: Take;
  readonly language: SpokenLanguage;
  readonly reader: SoundReader;
  readonly windows: RecognitionWindows;
  /** End of speech without words behind which no word is final yet, ms on the take's own clock. */
  wordlessEndMs: number | null;
}

/**
 * Recognises the takes of one lecture on this device, in order, and passes the words on as the room does. What it knows
 * of a take after a reload, or after another engine, is the take alone: its words reach to `heldMs`, and its sound from
 * chunk `firstUnsent` on is there. A model that is slow or late falls behind and loses nothing.
 */
export class DeviceRecognizer {
  /** Takes that are not complete, in order. */
  #takes: Take[] = [];
  #open: OpenTake | null = null;
  /** Aborts when this work ends; null: there is none. */
  #work: AbortController | null = null;
  readonly #model: CurrentModel;
  /** There may be new sound. */
  #isAwake = false;
  #wake = () => {};
  readonly #hints: SpeechHints;
  readonly #pace = new WindowPace(countEncoderThreads());

  constructor(
    private readonly deps: RecognizerDeps,
    private readonly device: Device,
    private readonly events: ReaderEvents<RecognizerEnd>,
  ) {
    this.#model = new CurrentModel({
      getModel: deps.getModel,
      clock: deps.clock,
      log: deps.log,
      onProgress: () => events.onProgress(),
    });
    this.#hints = new SpeechHints(deps.clock, deps.hintSource);
  }

  get state(): ConnectionState {
    if (this.#work === null) return "idle";
    if (this.#takes.every((take) => take.hasEnded)) return "draining";
    if (this.#model.isLoaded) return "live";
    return this.#model.hasFailed ? "reconnecting" : "connecting";
  }
  /** Length of the decoded sound in memory, ms. */
  get bufferedMs(): number {
    return this.#open?.reader.lengthMs ?? 0;
  }

  add(take: Take): void {
    this.#takes.push(take);
  }

  /** Recognises what has no words yet. */
  start(): void {
    if (this.#work === null) {
      this.#work = new AbortController();
      void this.#recognizeAll(this.#work.signal);
    }
    this.sendChunks();
    this.events.onProgress();
  }

  /** Goes on with new sound. Call it after each appended chunk. */
  sendChunks(): void {
    this.#isAwake = true;
    this.#wake();
  }

  /** Nothing waits to be retried: a model that failed is replaced at once. */
  retryNow(): void {
    this.sendChunks();
  }

  close(): void {
    this.#stop();
    this.events.onProgress();
  }

  #stop(): void {
    this.#work?.abort();
    this.#work = null;
    this.#open = null;
    this.#model.drop();
    this.#wake();
  }

  async #recognizeAll(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        this.#isAwake = false;
        this.#takes = this.#takes.filter((take) => !take.isComplete && take.engine === "device");
        const take = this.#takes[0];
        if (take === undefined) break;
        const language = getLanguage(take);
        // Another model may know the language of this take.
        if (language !== this.#open?.language) this.#model.drop();
        await this.#model.load(language, signal);
        if (signal.aborted) return;
        if (this.#open?.take !== take) this.#open = this.#openTake(take, language, signal);
        if (!(await this.#recognizeNext(this.#open, signal))) await this.#waitForSound();
      }
      if (signal.aborted) return;
      this.close();
      this.events.onComplete();
    } catch (error) {
      if (signal.aborted) return;
      const name = error instanceof Error ? error.name : "unknown";
      this.deps.log.warn("device recognition ended", { error: name });
      this.close();
      this.events.onEnd(toRecognizerEnd(error));
    }
  }

  #waitForSound(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#isAwake || this.#work === null) resolve();
    });
  }

  #openTake(take: Take, language: SpokenLanguage, signal: AbortSignal): OpenTake {
    const { firstUnsent, heldMs, chunkMs } = take;
    const fromSeq = Math.max(firstUnsent, Math.floor(Math.max(0, heldMs - leadInMs) / chunkMs));
    const text = this.#placeTake(take, Math.max(heldMs, fromSeq * chunkMs));
    if (fromSeq > firstUnsent) take.acknowledge(fromSeq - 1);
    const windows = new RecognitionWindows(fromSeq * chunkMs, { text, endMs: heldMs });
    const onRefusedChunk = (seq: number) => {
      this.deps.log.warn("chunk not decoded", { seq });
      if (take.refuse(seq)) this.deps.onRefusedChunk(chunkMs);
    };
    const deps = {
      decodeOpus: this.device.decodeOpus,
      detectSpeech: (samples: Float32Array, state: DetectorState | null) =>
        this.#model.detectSpeech(samples, state, language, signal),
      onRefusedChunk,
    };
    const reader = new SoundReader(deps, take, fromSeq);
    return { take, language, windows, reader, wordlessEndMs: null };
  }

  /**
   * Places the take, or its rest from `restMs` on behind words that came between.
   *
   * @returns the words on the page that end at `heldMs`, where they are known.
   */
  #placeTake(take: Take, restMs: number): string {
    const { heldMs, offsetMs, repeated } = take;
    const { lectureEndMs } = this.deps.settings();
    const { getClockEndMs, getLastText } = this.deps;
    const wordsEndMs = getWordsEndMs(take);
    const isInterrupted = offsetMs === null || wordsEndMs < lectureEndMs - interruptedMs;
    if (isInterrupted) take.place(Math.max(lectureEndMs, getClockEndMs()) - restMs);
    else take.place(offsetMs);
    // The page knows that words behind `heldMs` are repeated, and leaves them out itself.
    const isFiltered = wordsEndMs === repeated?.untilMs;
    return heldMs === 0 || isInterrupted || isFiltered ? "" : getLastText();
  }

  /** One step: reads sound, or recognises a window. False: there is nothing to do before new sound comes. */
  async #recognizeNext(open: OpenTake, signal: AbortSignal): Promise<boolean> {
    const { take, reader, windows } = open;
    if (reader.endMs < windows.wantedMs && (await reader.read())) return true;
    if (signal.aborted || take.isComplete) return true;
    const { activity, endMs, isAtEnd } = reader;
    const { wantedMs } = windows;
    const hasEnded = take.hasEnded && isAtEnd;
    const stepMs = this.#pace.getStepMs(this.device.isOnBattery());
    const sound = { endMs, activity, hasEnded, hasMore: !isAtEnd, stepMs };
    const settled = windows.settle(sound);
    if (settled !== null) {
      this.#deliver(open, windows.doneMs, settled);
      return true;
    }
    const window = windows.next(sound);
    if (window === null) {
      const isDone = hasEnded && windows.doneMs >= take.lengthMs;
      const before = take.firstUnsent;
      this.#acknowledge(open, isDone);
      if (take.firstUnsent !== before) this.events.onProgress();
      // Silence was skipped, so there may be room for more sound.
      return isDone || (endMs >= wantedMs && windows.wantedMs > wantedMs);
    }
    const hints = window.isRetry ? [] : this.#hints.getTerms(take.languages);
    const terms = hints.map(({ term }) => term);
    const { prompt, said } = window;
    const options = { language: open.language, prompt, said, terms };
    const samples = reader.getSamples(window.startMs, window.endMs);
    const startedAt = this.deps.clock.now();
    const words = await this.#model.transcribe(samples, options, signal);
    if (signal.aborted || take.isRemoved) return true;
    this.#pace.add(this.deps.clock.now() - startedAt);
    const result = windows.add(window, words, activity, terms);
    this.#deliver(open, window.endMs, result);
    return true;
  }

  /** Passes on what a window that ends at `endMs` has brought. Speech without words lies between two sentences. */
  #deliver(open: OpenTake, endMs: number, { wordless, ...words }: WindowResult): void {
    let { finals } = words;
    for (const stretch of wordless) {
      const before = finals.filter(({ startMs }) => startMs < stretch.startMs);
      finals = finals.slice(before.length);
      if (before.length > 0)
        this.#send(open, endMs, { finals: before, interim: [], endpoint: false });
      this.events.endSentence();
      const { wordlessEndMs } = open;
      const isNear = wordlessEndMs !== null && stretch.startMs - wordlessEndMs <= wordlessPauseMs;
      open.take.addWordless(isNear ? { ...stretch, startMs: wordlessEndMs } : stretch);
      open.wordlessEndMs = stretch.endMs;
    }
    this.#send(open, endMs, { ...words, finals });
  }

  /** Passes on words of a window that ends at `endMs`. */
  #send(
    open: OpenTake,
    endMs: number,
    { finals, interim, endpoint }: Omit<WindowResult, "wordless">,
  ): void {
    const { take, windows, language } = open;
    if (finals.length > 0) open.wordlessEndMs = null;
    const offsetMs = take.offsetMs ?? 0;
    const toLectureMs = (ms: number) => Math.max(0, offsetMs + ms);
    const heard = [...finals, ...interim];
    const toToken = ({ text, isJoined, ...word }: HypothesisWord, index: number): RelayToken => ({
      text: (isJoined ? "" : getSpace(heard[index - 1]?.text ?? "", text, language)) + text,
      is_final: index < finals.length,
      start_ms: toLectureMs(word.startMs),
      end_ms: toLectureMs(word.endMs),
    });
    this.events.onTokens(
      {
        type: "tokens",
        tokens: heard.map(toToken),
        audio_final_proc_ms: toLectureMs(windows.doneMs),
        audio_total_proc_ms: toLectureMs(endMs),
        ...(endpoint ? { endpoint } : {}),
      },
      take,
    );
    this.#acknowledge(open, false);
    this.events.onProgress();
  }

  #acknowledge({ take, reader, windows }: OpenTake, isDone: boolean): void {
    reader.dropBefore(windows.neededMs);
    const doneSeq = isDone
      ? take.nextSeq
      : Math.floor(Math.max(0, windows.doneMs - keptMs) / take.chunkMs);
    if (doneSeq > take.firstUnsent) take.acknowledge(doneSeq - 1);
  }
}

/** @throws SpeechModelError: models on this device hear one language at a time, and do not say which. */
function getLanguage({ languages: { language, secondLanguage } }: Take): SpokenLanguage {
  if (language === "detect" || !canRecognize("whisper", language, secondLanguage ?? undefined))
    throw new SpeechModelError("language", "The take's languages are not known");
  return language;
}

function toRecognizerEnd(error: unknown): RecognizerEnd {
  if (error instanceof DecoderMissingError) return { kind: "codecNotSupported" };
  const code = error instanceof SpeechModelError ? error.code : "failed";
  if (code === "language") return { kind: "noLanguage" };
  return code === "missing" ? { kind: "modelMissing" } : { kind: "modelFailed", code };
}
