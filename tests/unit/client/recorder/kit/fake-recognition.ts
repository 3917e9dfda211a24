import type { Clock } from "#client/lib/clock.ts";
import type {
  SpeechErrorCode,
  SpeechRecognition,
  SpeechResultEvent,
} from "#client/recognition/browser/web-speech.ts";

/** A spoken word, on the clock's time. */
export interface SpokenWord {
  text: string;
  startsAt: number;
  endsAt: number;
}

export interface FakeRecognitionOptions {
  clock: Clock;
  words: readonly SpokenWord[];
  /** What the browser writes between words. */
  space?: "" | " ";
  /** A session ends by itself after this time. */
  limitMs?: number;
  /** At such an end the text that is still interim becomes final first. */
  isFinalAtLimit?: boolean;
  /** As Chrome on Android: growing results, all final and of confidence 0; ends after each utterance. */
  isAndroid?: boolean;
  /** The newest word of an interim result is wrong until the next word comes. */
  revises?: boolean;
  /** Whether the device is open whose track a session was given. One that is closed gives no words and ends nothing. */
  isOpen?(track: MediaStreamTrack | undefined): boolean;
  /** Times at which the running session fails. */
  errors?: readonly { at: number; error: SpeechErrorCode }[];
}

const tickMs = 100;
const delayMs = 300;
/** A pause that ends an utterance. */
const pauseMs = 700;

interface Result {
  text: string;
  isFinal: boolean;
  confidence: number;
}

/** The Web Speech API over a script of spoken words. One session listens at a time, as in a browser. */
export class FakeRecognitions {
  /** Times at which each session listened. */
  readonly sessions: { startedAt: number; endedAt: number | null }[] = [];
  readonly #options: FakeRecognitionOptions;

  constructor(options: FakeRecognitionOptions) {
    this.#options = options;
  }

  create(): SpeechRecognition {
    return new FakeSession(this.#options, this.sessions);
  }
}

class FakeSession implements SpeechRecognition {
  lang = "";
  continuous = false;
  interimResults = false;
  onstart: (() => void) | null = null;
  onresult: ((event: SpeechResultEvent) => void) | null = null;
  onerror: ((event: { readonly error: SpeechErrorCode }) => void) | null = null;
  onend: (() => void) | null = null;
  readonly #options: FakeRecognitionOptions;
  readonly #sessions: FakeRecognitions["sessions"];
  #listening: FakeRecognitions["sessions"][number] | null = null;
  #results: Result[] = [];
  /** Words of the current utterance. */
  #utterance: SpokenWord[] = [];
  #heardCount = 0;
  #cancelTick = () => {};
  #track: MediaStreamTrack | undefined;

  constructor(options: FakeRecognitionOptions, sessions: FakeRecognitions["sessions"]) {
    this.#options = options;
    this.#sessions = sessions;
  }

  start(track?: MediaStreamTrack): void {
    this.#track = track;
    if (this.#sessions.some(({ endedAt }) => endedAt === null)) throw new Error("already started");
    const { clock, words } = this.#options;
    this.#listening = { startedAt: clock.now(), endedAt: null };
    this.#sessions.push(this.#listening);
    this.#heardCount = words.filter(({ endsAt }) => endsAt <= clock.now()).length;
    clock.after(0, () => this.onstart?.());
    this.#cancelTick = clock.after(tickMs, () => this.#tick());
  }

  stop(): void {
    if (this.#listening === null) return;
    this.#hear(this.#options.clock.now());
    this.#finishUtterance();
    this.#end();
  }

  abort(): void {
    this.#release();
  }

  #tick(): void {
    const { clock, errors = [], limitMs, isFinalAtLimit = false } = this.#options;
    const listening = this.#listening;
    if (listening === null) return;
    this.#cancelTick = clock.after(tickMs, () => this.#tick());
    this.#hear(clock.now() - delayMs);
    const failure = errors.find(({ at }) => at > clock.now() - tickMs && at <= clock.now());
    if (failure !== undefined) {
      this.onerror?.({ error: failure.error });
      this.#end();
    } else if (limitMs !== undefined && clock.now() - listening.startedAt >= limitMs) {
      this.#hear(clock.now());
      if (isFinalAtLimit) this.#finishUtterance();
      this.#end();
    }
  }

  #hear(until: number): void {
    const { words, isAndroid = false, isOpen } = this.#options;
    if (isOpen?.(this.#track) === false) return;
    for (let word = words[this.#heardCount]; word !== undefined; word = words[this.#heardCount]) {
      if (word.endsAt > until) break;
      this.#heardCount += 1;
      this.#utterance.push(word);
      this.#report();
    }
    const last = this.#utterance.at(-1);
    if (last === undefined || until - last.endsAt < pauseMs) return;
    this.#finishUtterance();
    if (isAndroid) this.#end();
  }

  #report(): void {
    const { isAndroid = false, revises = false, space = " " } = this.#options;
    const texts = this.#utterance.map(({ text }) => text);
    if (revises) texts[texts.length - 1] = "uncertain";
    const text = texts.join(space);
    if (isAndroid) this.#results.push({ text, isFinal: true, confidence: 0 });
    else this.#setLast({ text, isFinal: false, confidence: 0.5 });
    this.#send();
  }

  #finishUtterance(): void {
    if (this.#utterance.length === 0) return;
    const text = this.#utterance.map((word) => word.text).join(this.#options.space ?? " ");
    this.#utterance = [];
    if (this.#options.isAndroid === true)
      this.#results.push({ text, isFinal: true, confidence: 0.9 });
    else this.#setLast({ text, isFinal: true, confidence: 0.9 });
    this.#send();
  }

  /** Replaces the result of the utterance that is still open. */
  #setLast(result: Result): void {
    if (this.#results.at(-1)?.isFinal === false) this.#results.pop();
    this.#results.push(result);
  }

  #send(): void {
    this.onresult?.({
      results: this.#results.map(({ text, isFinal, confidence }) => ({
        isFinal,
        0: { transcript: text, confidence },
      })),
    });
  }

  #end(): void {
    this.#release();
    this.onend?.();
  }

  #release(): void {
    this.#cancelTick();
    if (this.#listening !== null) this.#listening.endedAt ??= this.#options.clock.now();
    this.#listening = null;
  }
}
