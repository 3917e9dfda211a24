import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { createFingerprint } from "./fingerprint.ts";
import { isForeignFormat } from "./foreign-formats.ts";
import {
  type DecodedSound,
  type FileFacts,
  type FileProblem,
  MediaFileError,
  type MediaReport,
  type MediaRequest,
  mediaMaxMs,
  type ReaderFacts,
  type ReadResult,
  wholeDecodeMaxBytes,
} from "./media-file.ts";

/**
 * Without a report for so long, ms, the reader counts as failed: the worker's download, or a second of sound. A file that
 * is being fetched from a cloud reports that it is.
 */
const silentMaxMs = 60_000;

export interface ReadOptions {
  take: StoredTake;
  /** Whose sound it is. */
  userId: string;
  decoder: FileFacts["decoder"];
  onProgress(nextSeq: number): void;
  /** Aborted: what is read until then is stored, and the result says so. */
  signal: AbortSignal;
}

/**
 * Finds out what `file` is before it is read. `onWaiting` is called while the file does not give its bytes, because it
 * lies in a cloud.
 *
 * @throws MediaFileError
 */
export async function probeFile(file: File, onWaiting: () => void = () => {}): Promise<FileFacts> {
  const facts = await runWorker({ type: "probe", file }, (media) => {
    if (media.type === "waiting") onWaiting();
    return media.type === "facts" ? media.facts : null;
  }).catch((error: unknown) => {
    const problem = error instanceof MediaFileError ? error.problem : "failed";
    const isUnknown = problem === "notMedia" || problem === "unknownCodec";
    if (!isUnknown && !isForeignFormat(problem)) throw error;
    return problem;
  });
  if (typeof facts === "object") return { ...facts, decoder: await chooseDecoder(file, facts) };
  if (file.size > wholeDecodeMaxBytes) throw new MediaFileError(facts);
  // A container, or a kind of sound in it, that only the browser knows.
  const { channels, sampleRate } = await decodeWhole(file, facts);
  const lengthMs = ((channels[0]?.length ?? 0) * 1_000) / sampleRate;
  if (lengthMs > mediaMaxMs) throw new MediaFileError("tooLong");
  const fingerprint = await createFingerprint(file);
  return { lengthMs, fingerprint, decoder: "page", tracks: [], track: null, recordedAt: null };
}

/** @throws MediaFileError when none can decode it */
async function chooseDecoder(
  file: File,
  { decoder, tracks }: ReaderFacts,
): Promise<FileFacts["decoder"]> {
  const isLarge = file.size > wholeDecodeMaxBytes;
  switch (decoder) {
    case "worker":
      return decoder;
    case "page":
      if (isLarge) throw new MediaFileError("largeUnknownCodec");
      await decodeWhole(file);
      return decoder;
    case "either":
      // The page's decoder chooses the track itself.
      if (isLarge || tracks.length > 0) return "worker";
      // Where both refuse, only the worker goes on behind a damaged beginning.
      return decodeWhole(file).then(
        () => "page",
        () => "worker",
      );
  }
}

/**
 * Reads the sound of `file` into the stored take, from its end on.
 *
 * @throws MediaFileError when nothing can be read, or the reader has failed
 */
export async function readFile(file: File, options: ReadOptions): Promise<ReadResult> {
  const { take, userId, decoder, onProgress, signal } = options;
  const source = decoder === "page" ? await decodeWhole(file) : file;
  return runWorker(
    { type: "read", source, take, userId },
    (media) => {
      if (media.type === "progress") onProgress(media.nextSeq);
      return media.type === "read" ? media.result : null;
    },
    signal,
  );
}

/** Runs one request in a worker of its own, which ends with it. `getResult`: null while there is none. */
async function runWorker<Result>(
  request: MediaRequest,
  getResult: (media: MediaReport["media"]) => Result | null,
  signal?: AbortSignal,
): Promise<Result> {
  const worker = new FileWorker<MediaRequest, MediaReport["media"]>(
    new Worker(new URL("./media-file.worker.ts", import.meta.url), {
      type: "module",
      name: "media-file",
    }),
    { getReport: (data) => (data as Partial<MediaReport>).media ?? null, silentMaxMs },
  );
  const stop = () => worker.post({ type: "stop" });
  signal?.addEventListener("abort", stop);
  try {
    const running = worker.call(request, (media) => {
      if (media.type === "problem") throw new MediaFileError(media.problem);
      return getResult(media);
    });
    if (signal?.aborted) stop();
    return await running;
  } catch (failure) {
    throw failure instanceof FileWorkerError ? new MediaFileError("failed") : failure;
  } finally {
    signal?.removeEventListener("abort", stop);
    worker.close();
  }
}

/**
 * Decodes all of `file` by the browser's other decoder, which knows codecs that WebCodecs does not, on some systems.
 *
 * @throws MediaFileError `problem` when it cannot either
 */
async function decodeWhole(
  file: File,
  problem: FileProblem = "unknownCodec",
): Promise<DecodedSound> {
  try {
    const context = new OfflineAudioContext(1, 1, captureSampleRate);
    const buffer = await context.decodeAudioData(await file.arrayBuffer());
    const channels = Array.from({ length: buffer.numberOfChannels }, (_, channel) =>
      buffer.getChannelData(channel),
    );
    return { channels, sampleRate: buffer.sampleRate };
  } catch {
    throw new MediaFileError(problem);
  }
}
