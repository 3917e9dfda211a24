import { isOnBattery } from "#client/lib/battery.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import {
  DeviceRecognizer,
  type RecognizerEnd,
} from "#client/recognition/device/device-recognizer.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import type { LectureSettings } from "#client/recognition/room/wire.ts";
import { decodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { RelayAllowance } from "#shared/relay.ts";
import { TakeUploader } from "./room/take-uploader.ts";
import type { HintSource } from "./speech-hints.ts";
import type { ReaderEvents, TakeReader } from "./take-reader.ts";

/** The readers of one lecture's takes. */
export interface TakeReaders {
  openRoom(events: ReaderEvents<RelayEnd>): TakeReader;
  openDevice(events: ReaderEvents<RecognizerEnd>): TakeReader;
}

export interface ReaderPorts {
  clock: Clock;
  log: Log;
  transport: RelayTransport;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
}

interface Deps {
  ports: ReaderPorts;
  /** What the readers read of the lecture's text. */
  text: {
    settings(): LectureSettings;
    hintSource: HintSource;
    /** The last words on the page, final and in order. */
    getLastText(): string;
  };
  /** See `UploaderDeps.path`. */
  path(takesOver: boolean): Promise<string>;
  /** See `CurrentModel`. */
  getModel(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  /** End of the lecture's clock without takes that are not placed, ms. */
  getClockEndMs(): number;
  onAllowance(message: RelayAllowance): void;
  onTranslationRefused?(language: TranslationLanguage): void;
  /** See `UploaderDeps.onBusy`. */
  onBusy(seconds: number | null): void;
  /** A chunk could not be used, and silence of `ms` took its place. */
  onRefusedChunk(ms: number): void;
}

export function createReaders(deps: Deps): TakeReaders {
  const { clock, log, transport, random } = deps.ports;
  const { settings, hintSource, getLastText } = deps.text;
  const { path, getModel, getClockEndMs, onAllowance, onBusy, onRefusedChunk } = deps;
  const { onTranslationRefused } = deps;
  return {
    openRoom: (events) =>
      new TakeUploader(
        {
          transport,
          clock,
          log,
          random,
          path,
          settings,
          hintSource,
          onAllowance,
          onBusy,
          onRefusedChunk,
          ...(onTranslationRefused && { onTranslationRefused }),
        },
        events,
      ),
    openDevice: (events) =>
      new DeviceRecognizer(
        {
          clock,
          log,
          getModel,
          decodeOpus,
          isOnBattery,
          settings,
          hintSource,
          getClockEndMs,
          getLastText,
          onRefusedChunk,
        },
        events,
      ),
  };
}
