import { type Clock, Timer } from "#client/lib/clock.ts";
import type { BuiltInFactory } from "./built-in-ai.ts";

/**
 * Chromium's `availability` and `create` may never settle where the service is missing or offline. Of a download that
 * begins, it reports the first byte, or none, sooner than this.
 */
const answerTimeoutMs = 5_000;
/** Longest pause between the reports of a download's progress, and to load a model that is on the device. */
const stallMs = 10_000;

interface Progress {
  clock: Clock;
  /** The share of the model that is loaded, 0 to 1. */
  onDownload(share: number): void;
  /** Nothing has happened for too long. It may still go on, which `onDownload` or the result shows. */
  onStall(): void;
  /** A model that is not on the device yet may be downloaded. */
  mayDownload: boolean;
  signal: AbortSignal;
}

/** The browser does not have this engine, or not for these languages. */
export class NoBuiltInError extends Error {}

/**
 * Creates a built-in engine and downloads its model if necessary. The promise may never settle.
 *
 * @throws NoBuiltInError; another error when it needs a download that is not wanted, or cannot be created.
 */
export async function createBuiltIn<Options extends object, Engine>(
  factory: BuiltInFactory<Options, Engine>,
  options: Options,
  { clock, onDownload, onStall, mayDownload, signal }: Progress,
): Promise<Engine> {
  const timer = new Timer(clock);
  signal.addEventListener("abort", () => timer.cancel());
  timer.start(answerTimeoutMs, onStall);
  try {
    const availability = await factory.availability(options);
    signal.throwIfAborted();
    if (availability === "unavailable")
      throw new NoBuiltInError("The browser does not have this engine");
    const isDownload = availability !== "available";
    if (isDownload && !mayDownload) throw new Error("The engine needs a download");
    timer.start(isDownload ? answerTimeoutMs : stallMs, onStall);
    let share = -1;
    const monitor = (target: EventTarget) =>
      target.addEventListener("downloadprogress", (event) => {
        const { loaded } = event as ProgressEvent;
        // A report of no new byte is no progress.
        if (signal.aborted || loaded <= share) return;
        share = loaded;
        timer.start(stallMs, onStall);
        if (isDownload) onDownload(loaded);
      });
    return await factory.create({ ...options, signal, monitor });
  } finally {
    timer.cancel();
  }
}

/**
 * The same, but for an engine that is needed now.
 *
 * @throws also when nothing happens for too long.
 */
export async function createBuiltInNow<Options extends object, Engine>(
  factory: BuiltInFactory<Options, Engine>,
  options: Options,
  clock: Clock,
  mayDownload = true,
): Promise<Engine> {
  const stalled = new AbortController();
  const { signal } = stalled;
  return new Promise((resolve, reject) => {
    const onStall = () => {
      stalled.abort();
      reject(new Error("The engine does not answer"));
    };
    const progress = { clock, onDownload: () => {}, onStall, mayDownload, signal };
    createBuiltIn(factory, options, progress).then(resolve, reject);
  });
}
