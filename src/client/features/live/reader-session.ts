import { browserClock, onWake } from "#client/lib/clock.ts";
import { connectSocket } from "#client/lib/socket.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { getReaderLanguage, storeReaderLanguage } from "./device-language.ts";
import { ShareConnection } from "./share-connection.ts";
import { SharedLecture } from "./shared-lecture.ts";

/** Downloads `lecture` as a file. `note` takes the place of its date. */
type SaveFile = (
  lecture: Lecture,
  file: { format: "txt" | "srt"; untitled: string; note: string },
) => Promise<void>;

export type ReaderSession = ReturnType<typeof openReaderSession>;

/**
 * Opens a reader's tab: the connection, and the lecture that it brings.
 *
 * @param code the secret of the link.
 */
export function openReaderSession(code: string, saveFile: SaveFile) {
  const ports = { clock: browserClock, connect: connectSocket, random: Math.random };
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
    code,
    reading: connection.reading,
    lecture,
    saveFile,
    /** The choice is kept on this device. */
    chooseLanguage(language: TargetLanguage) {
      storeReaderLanguage(language);
      connection.chooseLanguage(language);
    },
    /** Connects again after `full` or `rate_limited`. */
    retry: () => connection.retry(),
    /** Where a signed-in reader gets a copy. The fragment, which no server sees, has the link's secret. */
    getKeepAddress: (language: TargetLanguage) =>
      `/keep#${new URLSearchParams({ code, language })}`,
  };
}
