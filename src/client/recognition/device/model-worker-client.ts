import { browserClock, type Clock, Timer } from "#client/lib/clock.ts";
import {
  type FromWorker,
  type ModelContents,
  type ModelPurpose,
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
const startModelWorker = () =>
  new Worker(new URL("./speech-model.worker.ts", import.meta.url), {
    type: "module",
  }) as unknown as ModelWorker;

/**
 * A worker that says nothing for two of these periods has stalled. Two, because a sleeping device lets one pass at
 * once. The first part of a window takes a slow device half a minute without a sign.
 */
const silentPeriodMs = 60_000;

export interface OpenOptions {
  clock?: Clock;
  createWorker?: () => ModelWorker;
}

/**
 * Starts a worker and loads the model from its stored files.
 *
 * @throws SpeechModelError
 */
export async function openModel(
  purpose: ModelPurpose,
  contents: ModelContents,
  { clock = browserClock, createWorker = startModelWorker }: OpenOptions = {},
): Promise<WorkerClient> {
  const client = new WorkerClient(createWorker(), clock);
  try {
    await client.open(purpose, contents);
    return client;
  } catch (error) {
    client.end(error);
    throw error;
  }
}

interface Call<Result> {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

class WorkerClient {
  #opening: Call<void> | null = null;
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

  open(purpose: ModelPurpose, contents: ModelContents): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      this.#send({ type: "open", purpose, contents });
    });
  }

  /**
   * Sends a request and waits for its result.
   *
   * @throws the reason of `signal` when that is aborted; SpeechModelError; the reason of `end`.
   */
  run<Result>(
    input: (ToWorker & { type: "run" })["input"],
    signal?: AbortSignal,
    transfer: Transferable[] = [],
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) throw this.#reason;
      signal?.throwIfAborted();
      const id = this.#nextId++;
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
      this.#send({ type: "run", id, input }, transfer);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Ends the worker and rejects what waits for it. */
  end(reason: unknown = new DOMException("The model was disposed of", "AbortError")): void {
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
      case "ready":
        this.#opening?.resolve();
        this.#opening = null;
        break;
      case "result":
        this.#takeCall(message.id)?.resolve(message.output);
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
