import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import {
  getTranslationLanguage,
  isSameLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { splitSpokenText } from "./spoken-parts.ts";
import { LiveQueue, type RowState, SavedQueue, type SpokenQueue } from "./spoken-queue.ts";
import type { SpeechEvent, Synthesizer } from "./synthesizer.ts";
import { choosePace, VoicePace } from "./voice-pace.ts";
import { listVoicesFor, type Voice } from "./voices.ts";

/** Voices come late: for so long their absence is not told, ms. */
const voicesWaitMs = 3_000;
/** An engine that has not begun after this time is silent, ms; a voice of a server needs the network. */
const startMaxMs = 6_000;
/** What was spoken twice as long as expected, and this, has ended without an event, ms. */
const endSlackMs = 4_000;
/** Some engines drop what they are given in the moment after `cancel`, ms. */
const cancelGapMs = 120;
/** Voices that are tried for one sentence. */
const triesMax = 3;

/**
 * `unsupported`: the browser cannot speak; `noVoice`: not in this language; `blocked`: it wants a click first; `silent`: its
 * voices do not answer.
 */
export type HearingProblem = "unsupported" | "noVoice" | "blocked" | "silent";

export interface HearingState {
  /** The sentences of a recording that goes on are spoken as they end; otherwise one after the other. */
  isLive: boolean;
  /** A person has paused it, or it cannot go on without one. */
  isHeld: boolean;
  /** The row that is spoken. */
  rowId: string | null;
  /** For the language, the best first. Empty until they are known. */
  voices: readonly Voice[];
  voice: Voice | null;
  /** Chosen by the person, times the voice's own. */
  pace: number;
  problem: HearingProblem | null;
  /** Rows that were passed over. */
  notSpoken: ReadonlySet<string>;
}

interface HearingPorts {
  clock: Clock;
  /** Null: the browser cannot speak. */
  synthesizer: Synthesizer | null;
  /** Of the device, BCP 47. */
  languageTags: readonly string[];
}

interface HearingChoices {
  language: TranslationLanguage;
  /** The id of the voice that was chosen before. */
  voiceId: string | null;
  pace: number;
}

type SpokenLecture = Pick<LectureDocument, "view" | "transcript">;

/** What is left of the row that is spoken. */
interface Current {
  row: TranscriptRow;
  parts: readonly string[];
  at: number;
  tries: number;
}

const nothing: ReadonlySet<string> = new Set();

const isLiveNow = ({ view, transcript }: SpokenLecture): boolean =>
  view.get().status === "recording" || transcript.live.get() !== null;

/** Speaks the translations of a lecture, sentence by sentence, from one row, or as they are finished. */
export class Hearing {
  readonly state: Signal<HearingState>;
  readonly #clock: Clock;
  readonly #synthesizer: Synthesizer | null;
  readonly #languageTags: readonly string[];
  /** The next event or, for want of it, the time at which it should have come. */
  readonly #timer: Timer;
  /** For a translation that is late. */
  readonly #orderTimer: Timer;
  readonly #voicesTimer: Timer;
  readonly #paces = new Map<string, VoicePace>();
  readonly #failedVoices = new Set<string>();
  readonly #ends: (() => void)[] = [];
  #isLive: boolean;
  #queue: SpokenQueue<TranscriptRow>;
  #current: Current | null = null;
  /** Of the sentence before. */
  #lastPace: number;
  #voiceId: string | null;
  #language: TranslationLanguage;

  /** `fromId`: the row with which saved text begins; null: its first one. */
  constructor(
    private readonly lecture: SpokenLecture,
    { clock, synthesizer, languageTags }: HearingPorts,
    { language, voiceId, pace }: HearingChoices,
    fromId: string | null,
  ) {
    this.#clock = clock;
    this.#synthesizer = synthesizer;
    this.#languageTags = languageTags;
    this.#timer = new Timer(clock);
    this.#orderTimer = new Timer(clock);
    this.#voicesTimer = new Timer(clock);
    this.#language = language;
    this.#voiceId = voiceId;
    this.#lastPace = pace;
    this.#isLive = isLiveNow(lecture);
    this.#queue = this.#createQueue(fromId);
    this.state = new Signal<HearingState>({
      isLive: this.#isLive,
      isHeld: false,
      rowId: null,
      voices: [],
      voice: null,
      pace,
      problem: synthesizer ? null : "unsupported",
      notSpoken: nothing,
    });
    if (!synthesizer) return;
    this.#ends.push(
      synthesizer.onVoices(() => this.#takeVoices()),
      lecture.view.subscribe(() => this.#followRecording()),
      lecture.transcript.blocks.subscribe(() => this.#update()),
    );
    this.#voicesTimer.start(voicesWaitMs, () => {
      // For browsers that do not say when their voices are there.
      this.#takeVoices();
      if (this.state.get().voices.length === 0) this.#set({ problem: "noVoice" });
    });
    this.#begin();
    this.#takeVoices();
    this.#showPassed();
  }

  /** Speaks row `id` next: once, in a recording that goes on, otherwise with all that follow. */
  hear(id: string | null): void {
    this.#interrupt();
    if (this.#isLive && !isLiveNow(this.lecture)) this.#setLive(false, id);
    else if (id !== null) this.#queue.hear(id);
    this.goOn();
  }

  /** Not `speechSynthesis.pause`, which Android ignores: the sentence begins again. */
  hold(): void {
    this.#interrupt();
    this.#orderTimer.cancel();
    this.#set({ isHeld: true });
  }

  goOn(): void {
    const { problem } = this.state.get();
    if (this.#current) return;
    this.#failedVoices.clear();
    const isSolved = problem === "blocked" || problem === "silent";
    this.#set({ isHeld: false, problem: isSolved ? null : problem });
    this.#findVoices();
    this.#begin();
  }

  chooseVoice(id: string): void {
    this.#voiceId = id;
    this.#failedVoices.delete(id);
    this.#findVoices();
    this.#startAgain();
  }

  choosePace(pace: number): void {
    this.#lastPace = pace;
    this.#set({ pace });
    this.#startAgain();
  }

  /** The page is left. */
  dispose(): void {
    for (const end of this.#ends) end();
    for (const timer of [this.#timer, this.#orderTimer, this.#voicesTimer]) timer.cancel();
    this.#current = null;
    this.#synthesizer?.cancel();
  }

  #set(change: Partial<HearingState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  #createQueue(fromId: string | null): SpokenQueue<TranscriptRow> {
    const rows = this.lecture.transcript.rows();
    const getState = (row: TranscriptRow) => this.#getState(row);
    const queue = this.#isLive ? new LiveQueue(rows, getState) : new SavedQueue(rows, getState);
    if (fromId !== null) queue.hear(fromId);
    return queue;
  }

  #setLive(isLive: boolean, fromId: string | null): void {
    this.#isLive = isLive;
    this.#queue = this.#createQueue(fromId);
    this.#set({ isLive });
    this.#showPassed();
  }

  #getState(row: TranscriptRow): RowState {
    const isInto = row.translatedInto === this.#language;
    switch (row.translation) {
      case "done":
        return isInto && this.#getParts(row).length > 0 ? "ready" : "nothing";
      case "waiting":
      case "failed": {
        const into = getTranslationLanguage(this.lecture.view.get(), row.spokenIn);
        return into === this.#language ? "waiting" : "nothing";
      }
      case "none":
        return this.#isReadAsSaid(row) && this.#getParts(row).length > 0 ? "ready" : "nothing";
    }
  }

  /** What was said in the listener's language is spoken as it is; not while the one who says it can be heard. */
  #isReadAsSaid(row: TranscriptRow): boolean {
    return !this.#isLive && isSameLanguage(row.spokenIn, this.#language);
  }

  #getParts(row: TranscriptRow): string[] {
    return splitSpokenText(row.translation === "none" ? row.original : row.translated);
  }

  #findVoices(): void {
    const all = this.#synthesizer?.listVoices() ?? [];
    const voices = listVoicesFor(all, this.#language, this.#languageTags);
    const usable = voices.filter(({ id }) => !this.#failedVoices.has(id));
    const voice = usable.find(({ id }) => id === this.#voiceId) ?? usable[0] ?? null;
    const { problem } = this.state.get();
    this.#set({
      voices,
      voice: voice ?? this.state.get().voice,
      problem: problem === "noVoice" && voice ? null : problem,
    });
  }

  #takeVoices(): void {
    this.#findVoices();
    if (!this.#current && !this.#timer.isRunning) this.#speak();
  }

  /** Nothing waits for what `allowVoices` has spoken, or another page's engine has left. */
  #begin(): void {
    this.#synthesizer?.cancel();
    this.#timer.start(cancelGapMs, () => this.#speak());
  }

  /** A recording begins: what is said now is heard. */
  #followRecording(): void {
    if (this.#isLive || this.lecture.view.get().status !== "recording") return;
    this.#interrupt();
    this.#setLive(true, null);
    this.#timer.start(cancelGapMs, () => this.#speak());
  }

  #update(): void {
    this.#queue.update(this.lecture.transcript.rows());
    this.#showPassed();
    if (!this.#current && !this.#timer.isRunning) this.#speak();
  }

  #showPassed(): void {
    const { notSpoken } = this.#queue;
    const shown = this.state.get().notSpoken;
    const isSame = shown.size === notSpoken.size && [...notSpoken].every((id) => shown.has(id));
    if (!isSame) this.#set({ notSpoken: new Set(notSpoken) });
  }

  /** What is spoken ends here. */
  #interrupt(): void {
    this.#timer.cancel();
    if (!this.#current) return;
    this.#synthesizer?.cancel();
    this.#queue.giveUp(this.#current.row.id);
    this.#current = null;
    this.#set({ rowId: null });
    this.#showPassed();
  }

  /** The sentence that is spoken, with another voice or pace. */
  #startAgain(): void {
    if (!this.#current) return;
    this.#synthesizer?.cancel();
    this.#timer.start(cancelGapMs, () => this.#speak());
  }

  /** Speaks what is left of the current row, or else the next one. */
  #speak(): void {
    const { voice, voices, isHeld } = this.state.get();
    this.#orderTimer.cancel();
    if (isHeld || !voice || voices.length === 0) return;
    if (!this.#current) {
      const next = this.#queue.take(this.#clock.now());
      this.#showPassed();
      if (!("row" in next)) {
        this.#set({ rowId: null });
        if (next.waitMs !== null) this.#orderTimer.start(next.waitMs, () => this.#speak());
        return;
      }
      const { row } = next;
      this.#current = { row, parts: this.#getParts(row), at: 0, tries: 1 };
      this.#lastPace = this.#choosePace(voice, this.#current.parts);
      this.#set({ rowId: row.id });
    }
    this.#speakPart(this.#current, voice);
  }

  #choosePace(voice: Voice, parts: readonly string[]): number {
    const { pace } = this.state.get();
    if (!this.#isLive) return pace;
    const waiting = this.#queue.listReady().flatMap((row) => this.#getParts(row));
    const backlogMs = [...parts, ...waiting].reduce(
      (sum, part) => sum + this.#getPace(voice).predictMs(part),
      0,
    );
    return choosePace(pace, backlogMs, this.#lastPace);
  }

  #getPace({ id }: Voice): VoicePace {
    const pace = this.#paces.get(id) ?? new VoicePace();
    this.#paces.set(id, pace);
    return pace;
  }

  #speakPart(current: Current, voice: Voice): void {
    const text = current.parts[current.at] ?? "";
    const pace = this.#getPace(voice);
    const rate = pace.getRate(this.#lastPace);
    const expectedMs = pace.predictMs(text) / this.#lastPace;
    let startedAt: number | null = null;
    this.#timer.start(startMaxMs + 2 * expectedMs, () => this.#fail(current, voice));
    this.#synthesizer?.speak({ text, voice, rate }, (event) => {
      if (this.#current !== current) return;
      const now = this.#clock.now();
      if (event === "start") {
        startedAt = now;
        this.#timer.start(2 * expectedMs + endSlackMs, () => {
          this.#synthesizer?.cancel();
          this.#timer.start(cancelGapMs, () => this.#endPart(current));
        });
      } else
        this.#handleEnd(event, current, voice, () => {
          if (startedAt !== null) pace.learn(text, rate, now - startedAt);
        });
    });
  }

  #handleEnd(
    event: Exclude<SpeechEvent, "start">,
    current: Current,
    voice: Voice,
    learn: () => void,
  ): void {
    switch (event) {
      case "end":
        learn();
        this.#endPart(current);
        break;
      case "blocked":
        this.#stop("blocked");
        break;
      case "cut":
        this.#tryAgain(current);
        break;
      case "failed":
        this.#fail(current, voice);
    }
  }

  #endPart(current: Current): void {
    this.#timer.cancel();
    current.at += 1;
    current.tries = 1;
    if (current.at >= current.parts.length) this.#current = null;
    this.#speak();
  }

  /** Another voice speaks the same part again, if there is one. */
  #fail(current: Current, voice: Voice): void {
    this.#failedVoices.add(voice.id);
    const isLast = this.state.get().voices.every(({ id }) => this.#failedVoices.has(id));
    if (isLast) this.#stop("silent");
    else this.#tryAgain(current);
  }

  #tryAgain(current: Current): void {
    current.tries += 1;
    if (current.tries > triesMax) {
      this.#stop("silent");
      return;
    }
    this.#synthesizer?.cancel();
    this.#findVoices();
    this.#timer.start(cancelGapMs, () => this.#speak());
  }

  /** It needs a person. */
  #stop(problem: HearingProblem): void {
    this.hold();
    this.#set({ problem });
  }
}
