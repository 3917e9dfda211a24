import { browserClock } from "#client/lib/clock.ts";
import { browserLog } from "#client/lib/log.ts";
import { decodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { openOpus } from "#client/sound/codecs/opus-encoder.ts";
import { TakeDatabase } from "#client/sound/takes/take-storage.ts";
import { watchFile } from "./file-watch.ts";
import type { MediaReport, MediaRequest } from "./media-file.ts";
import { openMedia, readFacts } from "./open-media.ts";
import { readSound, toProblem } from "./read-sound.ts";

let isStopped = false;

const report = (media: MediaReport["media"]) => self.postMessage({ media } satisfies MediaReport);

async function read({ source, take, userId }: Extract<MediaRequest, { type: "read" }>) {
  const media = source instanceof File ? await openMedia(source, take.file?.track ?? null) : source;
  try {
    return await readSound(media, take, {
      clock: browserClock,
      log: browserLog,
      openOpus,
      decodeOpus,
      storage: new TakeDatabase(() => Date.now()).openStorage(userId),
      onProgress: (nextSeq) => report({ type: "progress", nextSeq }),
      isStopped: () => isStopped,
    });
  } finally {
    if ("close" in media) media.close();
  }
}

/** What `request` reads, if it is a file. */
function getFile(request: MediaRequest): File | null {
  if (request.type === "probe") return request.file;
  return request.type === "read" && request.source instanceof File ? request.source : null;
}

async function run(request: MediaRequest): Promise<void> {
  const file = getFile(request);
  const endWatch = file ? watchFile(file, () => report({ type: "waiting" })) : null;
  try {
    if (request.type === "probe") report({ type: "facts", facts: await readFacts(request.file) });
    if (request.type === "read") report({ type: "read", result: await read(request) });
    if (request.type === "stop") isStopped = true;
  } catch (error) {
    const problem = toProblem(error);
    if (problem === "failed") console.warn("A file could not be read", error);
    report({ type: "problem", problem });
  } finally {
    endWatch?.();
  }
}

self.addEventListener("message", ({ data }: MessageEvent<MediaRequest>) => void run(data));
