import { type Clock, Timer } from "#client/lib/clock.ts";
import type { EngineAvailability } from "#client/realtime/recognition/web-speech.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";

/** Chromium's `availability` and `create` never settle where the service is missing or offline. */
const answerTimeoutMs = 5_000;
const createTimeoutMs = 20_000;
/** Longest pause between two reports of a download's progress. */
const downloadStallMs = 60_000;

interface Factory<Options, Engine> {
  availability(options: Options): Promise<EngineAvailability>;
  create(
    options: Options & { signal: AbortSignal; monitor(target: EventTarget): void },
  ): Promise<Engine>;
}

/**
 * Creates a built-in engine and downloads its model if necessary. `onDownload` reports the share that is
 * loaded, 0 to 1.
 *
 * @throws when the engine is not available, or nothing happens for too long.
 */
export async function createBuiltIn<Options extends object, Engine>(
  factory: Factory<Options, Engine>,
  options: Options,
  { clock, onDownload }: { clock: Clock; onDownload(share: number): void },
): Promise<Engine> {
  const availability = await withTimeout(clock, answerTimeoutMs, () =>
    factory.availability(options),
  );
  if (availability === "unavailable") throw new Error("The browser does not have this engine");
  const isDownload = availability !== "available";
  if (isDownload) onDownload(0);
  const stalled = new AbortController();
  const timer = new Timer(clock);
  const expectProgress = (timeoutMs: number) =>
    timer.start(timeoutMs, () => stalled.abort(new Error("The engine does not answer")));
  expectProgress(createTimeoutMs);
  const aborted = new Promise<never>((_, reject) => {
    stalled.signal.addEventListener("abort", () => reject(stalled.signal.reason));
  });
  const monitor = (target: EventTarget) =>
    target.addEventListener("downloadprogress", (event) => {
      const { loaded } = event as ProgressEvent;
      expectProgress(downloadStallMs);
      if (isDownload) onDownload(loaded);
    });
  try {
    const creating = factory.create({ ...options, signal: stalled.signal, monitor });
    return await Promise.race([creating, aborted]);
  } finally {
    timer.cancel();
  }
}
