import { browserClock, type Clock, Timer } from "#client/lib/clock.ts";
import type { SourceLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { ModelDescription } from "./model-description.ts";
import type { ModelFiles } from "./model-files.ts";
import {
  type FromWorker,
  type HypothesisWord,
  type SpeechDevice,
  SpeechModelError,
  type ToWorker,
} from "./speech-model-messages.ts";

export type { HypothesisWord } from "./speech-model-messages.ts";

/** A speech model that runs on this device, in a worker. Recognises one window at a time. */
export interface SpeechModel {
  /**
   * Recognises up to 30 s of mono audio at 16 kHz. `window` is copied and stays the caller's.
   *
   * @throws RangeError when `window` is longer.
   * @throws the reason of `signal` when that is aborted, an `AbortError` when the model is disposed.
   * @throws SpeechModelError when the model fails.
   */
  transcribe(
    window: Float32Array,
    options: { language: SourceLanguage; prompt?: string },
    signal?: AbortSignal,
  ): Promise<HypothesisWord[]>;
  /** Ends the worker and frees its memory. */
  dispose(): void;
}

/** A model that is ready. */
export interface OpenSpeechModel extends SpeechModel {
  readonly device: SpeechDevice;
}

export interface OpenOptions {
  signal?: AbortSignal;
  /** From 0 to 1: how much of the stored files has been read. What follows has no measure. */
  onProgress?: (share: number) => void;
  clock?: Clock;
  createWorker?: () => SpeechModelWorker;
}

/** The part of `Worker` that is used. */
export interface SpeechModelWorker {
  postMessage(message: ToWorker, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

const windowMaxSeconds = 30;

/**
 * A worker that says nothing for two of these periods has stalled. Two, because a sleeping device lets one pass at
 * once. The first part of a window takes a slow device half a minute without a sign.
 */
const silentPeriodMs = 60_000;

/**
 * Starts a worker and loads the model from its stored files.
 *
 * @throws SpeechModelError; the reason of `signal` when that is aborted.
 */
export async function openSpeechModel(
  files: ModelFiles,
  model: ModelDescription,
  { signal, onProgress, clock = browserClock, createWorker = startWorker }: OpenOptions = {},
): Promise<OpenSpeechModel> {
  const contents = await readFiles(files, model);
  signal?.throwIfAborted();
  const client = new WorkerClient(createWorker(), clock, onProgress ?? (() => {}));
  const abort = () => client.end(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const device = await client.open(model, contents);
    return {
      device,
      transcribe: (window, options, windowSignal) =>
        client.transcribe(window, options, windowSignal),
      dispose: () => client.end(new DOMException("The model was disposed of", "AbortError")),
    };
  } catch (error) {
    client.end(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

// Its types promise whole events.
const startWorker = () =>
  new Worker(new URL("./speech-model.worker.ts", import.meta.url), {
    type: "module",
  }) as unknown as SpeechModelWorker;

/** All files of the model. A file's content was checked when it was stored, its length is checked here again. */
async function readFiles(files: ModelFiles, model: ModelDescription): Promise<Map<string, Blob>> {
  const contents = new Map<string, Blob>();
  for (const { path, bytes } of model.files) {
    const blob = await files.read(path);
    if (blob === null) throw new SpeechModelError("missing", `${path} is not stored`);
    if (blob.size !== bytes)
      throw new SpeechModelError("damaged", `${path} has ${blob.size} bytes, not ${bytes}`);
    contents.set(path, blob);
  }
  return contents;
}

interface Call<Result> {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** The page's end of the worker. */
class WorkerClient {
  #opening: Call<SpeechDevice> | null = null;
  readonly #windows = new Map<number, Call<HypothesisWord[]> & { forget(): void }>();
  #nextId = 1;
  #hasAnswered = false;
  #hasEnded = false;
  /** Why it has ended. */
  #reason: unknown;
  readonly #silence: Timer;
  #silentPeriods = 0;

  constructor(
    private readonly worker: SpeechModelWorker,
    clock: Clock,
    private readonly onProgress: (share: number) => void,
  ) {
    this.#silence = new Timer(clock);
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = ({ message }) =>
      // Before its first message it was not loaded: a file of the program could not be fetched.
      this.end(
        new SpeechModelError(
          this.#hasAnswered ? "failed" : "program",
          message || "The worker ended with an error",
        ),
      );
  }

  open(model: ModelDescription, contents: ReadonlyMap<string, Blob>): Promise<SpeechDevice> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      this.#send({ type: "open", model, contents });
    });
  }

  transcribe(
    window: Float32Array,
    { language, prompt = "" }: { language: SourceLanguage; prompt?: string },
    signal?: AbortSignal,
  ): Promise<HypothesisWord[]> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) throw this.#reason;
      signal?.throwIfAborted();
      if (window.length > windowMaxSeconds * captureSampleRate)
        throw new RangeError(`A window has at most ${windowMaxSeconds} s`);
      const id = this.#nextId++;
      const abort = () => {
        this.#takeWindow(id)?.reject(signal?.reason);
        this.#send({ type: "abort", id });
      };
      this.#windows.set(id, {
        resolve,
        reject,
        forget: () => signal?.removeEventListener("abort", abort),
      });
      signal?.addEventListener("abort", abort);
      const samples = window.slice();
      this.#send({ type: "transcribe", id, samples, language, prompt }, [samples.buffer]);
    });
  }

  /** Ends the worker and rejects what waits for it. */
  end(reason: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reason = reason;
    this.#silence.cancel();
    this.worker.terminate();
    this.#opening?.reject(reason);
    for (const id of [...this.#windows.keys()]) this.#takeWindow(id)?.reject(reason);
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
    if (!this.#silence.isRunning) this.#listen();
  }

  #receive(message: FromWorker): void {
    if (this.#hasEnded) return;
    this.#hasAnswered = true;
    switch (message.type) {
      case "alive":
        break;
      case "progress":
        this.onProgress(message.share);
        break;
      case "ready":
        this.#opening?.resolve(message.device);
        this.#opening = null;
        break;
      case "words":
        this.#takeWindow(message.id)?.resolve(message.words);
        break;
      case "failure": {
        const error = new SpeechModelError(message.code, message.text);
        if (message.id === null) this.end(error);
        else this.#takeWindow(message.id)?.reject(error);
      }
    }
    this.#listen();
  }

  /** Waits for the next message, while one is due. */
  #listen(): void {
    this.#silentPeriods = 0;
    this.#silence.cancel();
    this.#waitOnePeriod();
  }

  #waitOnePeriod(): void {
    if (this.#hasEnded || (this.#opening === null && this.#windows.size === 0)) return;
    this.#silence.start(silentPeriodMs, () => {
      if (++this.#silentPeriods < 2) return this.#waitOnePeriod();
      this.end(new SpeechModelError("failed", "The worker does not answer"));
    });
  }

  #takeWindow(id: number): Call<HypothesisWord[]> | undefined {
    const call = this.#windows.get(id);
    call?.forget();
    this.#windows.delete(id);
    return call;
  }
}
