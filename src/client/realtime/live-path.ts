import { browserClock } from "#client/lib/clock.ts";
import { createChunkEncoder } from "#client/realtime/audio/chunk-encoder.ts";
import { BrowserRecognizer } from "#client/realtime/recognition/browser-recognizer.ts";
import { prepareRecognition } from "#client/realtime/recognition/recognition-engine.ts";
import { GuestTickets } from "#client/realtime/relay/guest-tickets.ts";
import { isFinalRefusal, toRefusedEnd } from "#client/realtime/relay/relay-end.ts";
import type { LivePath } from "#client/realtime/session-ports.ts";
import { newTake, Take } from "#client/realtime/takes/take.ts";
import { TakeDatabase } from "#client/realtime/takes/take-storage.ts";
import { TakeUploader } from "#client/realtime/takes/take-uploader.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { preflightParam, preflightResponse } from "#shared/relay.ts";
import { browserLog } from "./platform/log.ts";
import { findCodec, onOpusFailed, openOpus } from "./platform/opus-encoder.ts";

export { openMicrophone } from "./platform/audio-source.ts";

const database = typeof indexedDB === "undefined" ? null : new TakeDatabase(() => Date.now());

export const livePath: LivePath = {
  openStorage: (userId) => database?.openStorage(userId) ?? null,
  maintainStorage: async (oldestAt) => {
    if (database === null) return;
    // The sound of the version before takes.
    indexedDB.deleteDatabase("dualect-spool");
    await database.removeOlderThan(oldestAt);
  },
  findCodec,
  createEncoder: (codec, output) =>
    createChunkEncoder(
      codec,
      { clock: browserClock, log: browserLog, openOpus, onOpusFailed },
      output,
    ),
  newTake: (lectureId, codec, startedAt) =>
    newTake(crypto.randomUUID(), lectureId, codec, startedAt),
  openTake: (deps, take, stored) => new Take(deps, take, stored),
  createUploader: (deps) => new TakeUploader(deps),
  prepareRecognition: () => prepareRecognition(browserClock),
  createRecognizer: (deps) => new BrowserRecognizer(deps),
  createGuestTickets: (deps) => new GuestTickets(deps),
  isFinalRefusal: isFinalRefusal,
  toRefusedEnd: toRefusedEnd,
};

export async function fetchRefusal(path: string): Promise<ErrorCode | null> {
  try {
    const address = new URL(path, location.href);
    address.searchParams.set(preflightParam, "1");
    const response = await fetch(address, { headers: { accept: "application/json" } });
    return preflightResponse.parse(await response.json()).refusal;
  } catch {
    return null;
  }
}
