import { browserClock, onWake } from "#client/lib/clock.ts";
import type { Observable } from "#client/lib/observable.ts";
import { browserTransport } from "#client/realtime/platform/websocket-transport.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { getReaderLanguage, storeReaderLanguage } from "./device-language.ts";
import { ShareConnection, type ShareReading } from "./share-connection.ts";
import { SharedLecture } from "./shared-lecture.ts";

/** Downloads `lecture` as a file. `note` takes the place of its date. */
export type SaveFile = (
  lecture: Lecture,
  file: { format: "txt" | "srt"; untitled: string; note: string },
) => Promise<void>;

/** A reader's tab: the connection, and the lecture that it brings. */
export interface ReaderSession {
  readonly reading: Observable<ShareReading>;
  readonly lecture: SharedLecture;
  /** Kept on this device. */
  chooseLanguage(language: TargetLanguage): void;
  /** Connects again after `full` or `rate_limited`. */
  retry(): void;
  /** Where a signed-in reader gets a copy. The fragment, which no server sees, has the link's secret. */
  getKeepAddress(language: TargetLanguage): string;
}

/** @param code the secret of the link. */
export function openReaderSession(code: string): ReaderSession {
  const ports = { clock: browserClock, connect: browserTransport.connect, random: Math.random };
  const connection = new ShareConnection(ports, code, getReaderLanguage());
  const lecture = new SharedLecture(browserClock);
  const stopAdapting = connection.reading.subscribe(() => {
    const { view } = connection.reading.get();
    if (view === null) return;
    stopAdapting();
    const language = getReaderLanguage(view.lecture);
    // The first one was chosen before the lecture was known.
    if (language !== view.language && !view.isLanguageRefused) connection.chooseLanguage(language);
  });
  connection.reading.subscribe(() => lecture.update(connection.reading.get()));
  onWake(() => connection.wake());
  addEventListener("offline", () => connection.lose());
  return {
    reading: connection.reading,
    lecture,
    chooseLanguage(language) {
      storeReaderLanguage(language);
      connection.chooseLanguage(language);
    },
    retry: () => connection.retry(),
    getKeepAddress: (language) => `/keep#${new URLSearchParams({ code, language })}`,
  };
}
