import { isOnBattery } from "#client/lib/battery.ts";
import { browserClock } from "#client/lib/clock.ts";
import { browserLog } from "#client/lib/log.ts";
import { BrowserRecognizer } from "#client/recognition/browser/browser-recognizer.ts";
import { prepareRecognition } from "#client/recognition/browser/recognition-engine.ts";
import {
  DeviceRecognizer,
  type RecognizerDeps,
  type RecognizerEnd,
} from "#client/recognition/device/device-recognizer.ts";
import { GuestTickets } from "#client/recognition/room/guest-tickets.ts";
import { isFinalRefusal, type RelayEnd, toRefusedEnd } from "#client/recognition/room/relay-end.ts";
import { TakeUploader, type UploaderDeps } from "#client/recognition/room/take-uploader.ts";
import type { Refusal } from "#client/recognition/room/transport.ts";
import { SpeechHints } from "#client/recognition/speech-hints.ts";
import type { ReaderEvents, TakeReader } from "#client/recognition/take-reader.ts";
import { TakeSpeech } from "#client/recognition/take-speech.ts";
import type { AudioCapture, AudioSource } from "#client/sound/capture/audio-ports.ts";
import { openMicrophone } from "#client/sound/capture/audio-source.ts";
import { createChunkEncoder, type EncoderOutput } from "#client/sound/capture/chunk-encoder.ts";
import { VoiceActivity } from "#client/sound/capture/voice-activity.ts";
import { decodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { findCodec, onOpusFailed, openOpus } from "#client/sound/codecs/opus-encoder.ts";
import { openSources, soundChoice, sourceLevels } from "#client/sound/display/sound-sources.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { TakeDatabase, type TakeStorage } from "#client/sound/takes/take-storage.ts";
import { type AudioCodec, preflightParam, preflightResponse } from "#shared/relay.ts";

/** Opens what the person has chosen to record. @throws AudioSourceError */
export async function openSound(
  ...[handlers, signal, options]: Parameters<AudioSource["open"]>
): Promise<AudioCapture> {
  const choice = soundChoice.get();
  sourceLevels.set(null);
  if (choice === null) return openMicrophone(browserClock, handlers, signal, options);
  const { openMixedCapture } = await import("#client/sound/display/mixed-capture.ts");
  return openMixedCapture(browserClock, handlers, signal, options, choice);
}

type ReaderDeps = UploaderDeps & RecognizerDeps;

/** The readers of one lecture's takes. */
export interface TakeReaders {
  openRoom(events: ReaderEvents<RelayEnd>): TakeReader;
  openDevice(events: ReaderEvents<RecognizerEnd>): TakeReader;
}

const database = typeof indexedDB === "undefined" ? null : new TakeDatabase(() => Date.now());

/** Code that only recording needs; loaded late, so that the first page view does without it. */
export const livePath = {
  /** The stored takes of a user. Null: audio is kept in memory only. */
  openStorage: (userId: string): TakeStorage | null => database?.openStorage(userId) ?? null,
  /** Removes takes that nobody can read and that were not written to since `oldestAt`. */
  async maintainStorage(oldestAt: number): Promise<void> {
    if (database === null) return;
    // The sound of the version before takes.
    indexedDB.deleteDatabase("dualect-spool");
    await database.removeUnreadable(oldestAt);
  },
  /** Codec of new takes in this browser. */
  findCodec,
  createEncoder: (codec: AudioCodec, output: EncoderOutput) =>
    createChunkEncoder(
      codec,
      { clock: browserClock, log: browserLog, openOpus, onOpusFailed },
      output,
    ),
  /** The record of a new, empty take. `startedAt`: ms since the epoch. */
  newTake: (lectureId: string, codec: AudioCodec, startedAt: number) =>
    newTake(crypto.randomUUID(), lectureId, codec, startedAt),
  /** The browser's recognition; null where it has none. */
  prepareRecognition(languages: TakeLanguages) {
    const needsTrack = soundChoice.get() !== null || openSources.get().length > 0;
    return prepareRecognition(browserClock, languages, undefined, needsTrack);
  },
  createReaders: (deps: ReaderDeps): TakeReaders => ({
    openRoom: (events) => new TakeUploader(deps, events),
    openDevice: (events) => new DeviceRecognizer(deps, { decodeOpus, isOnBattery }, events),
  }),
  Take,
  BrowserRecognizer,
  SpeechHints,
  TakeSpeech,
  VoiceActivity,
  GuestTickets,
  isFinalRefusal,
  toRefusedEnd,
};
export type LivePath = typeof livePath;

export async function fetchRefusal(path: string): Promise<Refusal | null> {
  try {
    const address = new URL(path, location.href);
    address.searchParams.set(preflightParam, "1");
    const response = await fetch(address, { headers: { accept: "application/json" } });
    const { refusal, retryAfterSeconds = 0 } = preflightResponse.parse(await response.json());
    return refusal === null ? null : { code: refusal, waitMs: retryAfterSeconds * 1_000 };
  } catch {
    return null;
  }
}
