import { browserClock, Timer } from "./clock.ts";

/** Why a worker gave no answer. `slow`: it was silent for too long. `failed`: it was not loaded, or has ended. */
export class FileWorkerError extends Error {
  override readonly name = "FileWorkerError";

  constructor(readonly reason: "slow" | "failed") {
    super(`The worker is ${reason}`);
  }
}

interface FileWorkerOptions<Report> {
  /** What a message of the worker says; null: it is another's, such as a library's. */
  getReport: (data: unknown) => Report | null;
  /** Without a report for so long, ms, the worker is ended. */
  silentMaxMs: number;
  /** Ends the worker; what waits for it rejects with the reason. */
  signal?: AbortSignal;
}

/**
 * A worker that reads one file for the page. Whatever the file does to it, the page goes on: the worker is ended when it
 * is silent for too long. What its memory holds is bounded by what it counts.
 */
export class FileWorker<Message, Report> {
  readonly #silence = new Timer(browserClock);
  #call: { onReport: (report: Report) => void; reject: (reason: unknown) => void } | null = null;
  #failure: unknown = null;

  constructor(
    private readonly worker: Worker,
    private readonly options: FileWorkerOptions<Report>,
  ) {
    worker.addEventListener("message", this.#receive);
    worker.addEventListener("error", this.#fail);
    options.signal?.addEventListener("abort", this.#abort);
    if (options.signal?.aborted) this.#abort();
  }

  /**
   * Sends `request`, and resolves to what `getResult` makes of a report. The next call comes after it.
   *
   * @param getResult null: the result comes later. What it throws is thrown.
   * @throws FileWorkerError; the reason of `signal`
   */
  async call<Result>(
    request: Message,
    getResult: (report: Report) => Result | null,
  ): Promise<Result> {
    if (this.#failure !== null) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const onReport = (report: Report) => {
      this.#watch();
      const result = getResult(report);
      if (result !== null) resolve(result);
    };
    this.#call = { onReport, reject };
    this.#watch();
    this.worker.postMessage(request);
    try {
      return await promise;
    } finally {
      this.#call = null;
      this.#silence.cancel();
    }
  }

  /** Tells the worker something that has no result. */
  post(request: Message): void {
    this.worker.postMessage(request);
  }

  close(): void {
    this.#end(new FileWorkerError("failed"));
  }

  /** Two periods, because a sleeping device lets one pass at once. */
  #watch(): void {
    const periodMs = this.options.silentMaxMs / 2;
    const end = () => this.#end(new FileWorkerError("slow"));
    this.#silence.start(periodMs, () => this.#silence.start(periodMs, end));
  }

  #receive = ({ data }: MessageEvent): void => {
    const report = this.options.getReport(data);
    if (report === null) return;
    try {
      this.#call?.onReport(report);
    } catch (failure) {
      this.#call?.reject(failure);
    }
  };
  #fail = (): void => this.#end(new FileWorkerError("failed"));
  #abort = (): void => this.#end(this.options.signal?.reason);

  #end(reason: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    this.#silence.cancel();
    this.options.signal?.removeEventListener("abort", this.#abort);
    this.worker.terminate();
    this.#call?.reject(this.#failure);
  }
}
