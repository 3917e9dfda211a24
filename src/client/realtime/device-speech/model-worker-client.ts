import { type Clock, Timer } from "#client/lib/clock.ts";
import type { ModelDescription, ModelFiles } from "./model-description.ts";
import {
  type FromWorker,
  type ModelPurpose,
  type SpeechDevice,
  SpeechModelError,
  type ToWorker,
} from "./speech-model-messages.ts";

/** The page's end of the worker in which a model runs; knows nothing of what the model does. */

/** The part of `Worker` that is used. */
export interface ModelWorker {
  postMessage(message: ToWorker, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

// Its types promise whole events.
export const startModelWorker = () =>
  new Worker(new URL("./speech-model.worker.ts", import.meta.url), {
    type: "module",
  }) as unknown as ModelWorker;

/**
 * A worker that says nothing for two of these periods has stalled. Two, because a sleeping device lets one pass at
 * once. The first part of a window takes a slow device half a minute without a sign.
 */
const silentPeriodMs = 60_000;

/** All files of the model. A file's content was checked when it was stored, its length is checked here again. */
export async function readFiles(
  files: ModelFiles,
  model: ModelDescription,
): Promise<Map<string, Blob>> {
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
export class WorkerClient {
  #opening: Call<SpeechDevice> | null = null;
  readonly #calls = new Map<number, Call<unknown> & { forget(): void }>();
  #nextId = 1;
  #hasAnswered = false;
  #hasEnded = false;
  /** Why it has ended. */
  #reason: unknown;
  readonly #silence: Timer;
  #silentPeriods = 0;

  constructor(
    private readonly worker: ModelWorker,
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

  open(
    purpose: ModelPurpose,
    model: ModelDescription,
    contents: ReadonlyMap<string, Blob>,
  ): Promise<SpeechDevice> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      this.#send({ type: "open", purpose, model, contents });
    });
  }

  /**
   * Sends a request, which `create` makes for an id, and waits for its result.
   *
   * @throws the reason of `signal` when that is aborted; SpeechModelError; the reason of `end`.
   */
  run<Result>(
    create: (id: number) => { message: ToWorker; transfer?: Transferable[] },
    signal?: AbortSignal,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) throw this.#reason;
      signal?.throwIfAborted();
      const id = this.#nextId++;
      const { message, transfer } = create(id);
      const abort = () => {
        this.#takeCall(id)?.reject(signal?.reason);
        this.#send({ type: "abort", id });
      };
      this.#calls.set(id, {
        resolve: (result) => resolve(result as Result),
        reject,
        forget: () => signal?.removeEventListener("abort", abort),
      });
      signal?.addEventListener("abort", abort);
      this.#send(message, transfer);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Ends the worker and rejects what waits for it. */
  end(reason: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reason = reason;
    this.#silence.cancel();
    this.worker.terminate();
    this.#opening?.reject(reason);
    for (const id of [...this.#calls.keys()]) this.#takeCall(id)?.reject(reason);
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
        this.#takeCall(message.id)?.resolve(message.words);
        break;
      case "translation":
        this.#takeCall(message.id)?.resolve(message.text);
        break;
      case "failure": {
        const error = new SpeechModelError(message.code, message.text);
        if (message.id === null) this.end(error);
        else this.#takeCall(message.id)?.reject(error);
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
    if (this.#hasEnded || (this.#opening === null && this.#calls.size === 0)) return;
    this.#silence.start(silentPeriodMs, () => {
      if (++this.#silentPeriods < 2) return this.#waitOnePeriod();
      this.end(new SpeechModelError("failed", "The worker does not answer"));
    });
  }

  #takeCall(id: number): Call<unknown> | undefined {
    const call = this.#calls.get(id);
    call?.forget();
    this.#calls.delete(id);
    return call;
  }
}
