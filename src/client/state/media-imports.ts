import { getQueryKey } from "@trpc/react-query";
import { confirmLeaveWhile } from "#client/lib/browser.ts";
import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { NestedObservable, Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import { claim } from "#client/recorder/browser-ports.ts";
import type { MediaImport, MediaJob, MediaSettings } from "#client/recorder/media-import.ts";
import { MediaQueue } from "#client/recorder/media-queue.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { findCodec } from "#client/sound/codecs/opus-encoder.ts";
import type { FileFacts } from "#client/sound/media-files/media-file.ts";
import { probeFile, readFile } from "#client/sound/media-files/media-reader.ts";
import { TakeDatabase } from "#client/sound/takes/take-storage.ts";
import { fetchTakes } from "./fetch-lecture.ts";
import { changeKeepSound, getWasKeptKey, keepSoundSetting } from "./keep-sound-setting.ts";
import { setMediaImportsBegan } from "./preferences.ts";
import { api, refetchQueries } from "./queries.tsx";
import { recordingSession } from "./recording.ts";
import { refreshSubscription } from "./subscription.ts";
import { trpc } from "./trpc.ts";
import { getUserId, visitor } from "./visitor.ts";

/** Sound and video files on their way to lectures of the signed-in user. Loaded late. */

const none = new Signal<readonly MediaImport[]>([]);
const queue = new Signal<MediaQueue | null>(null);
let ownerId: string | null = null;

export const mediaImports = new NestedObservable(queue, (one) => one?.imports ?? none);

/** The queue of the signed-in user, with what closed pages have left. Null for everybody else. */
export function openMediaQueue(): MediaQueue | null {
  const userId = getUserId();
  if (userId === ownerId) return queue.get();
  queue.get()?.dispose();
  ownerId = userId;
  const opened = userId === null ? null : createQueue(userId);
  queue.set(opened);
  opened?.restore().catch(() => console.warn("Files that were being read were not found"));
  return opened;
}

visitor.subscribe(() => {
  if (ownerId !== null) openMediaQueue();
});

confirmLeaveWhile(() => queue.get()?.isReading === true);

/** Goes on with an interrupted file. @throws MediaFileError */
export async function continueImport(id: string, file: File): Promise<void> {
  const facts: FileFacts = await probeFile(file);
  await queue.get()?.continueWith(id, file, facts);
}

function createQueue(userId: string): MediaQueue {
  setMediaImportsBegan(true);
  const storage = new TakeDatabase(() => Date.now()).openStorage(userId);
  return new MediaQueue({
    userId,
    clock: browserClock,
    findCodec,
    claim,
    read: readFile,
    storage,
    newId: () => crypto.randomUUID(),
    keepsSound: () => keepSoundSetting.get() === true,
    getSession,
    createLecture,
    readTakes: (id) => withRetries(browserClock, () => callServer(() => fetchTakes(id))),
    onSoundStays() {
      // Kept sound is played and listed from then on.
      if (keepSoundSetting.get() === null) void changeKeepSound(false);
    },
    async removeSound(takeId) {
      // Otherwise the page would say that the browser has deleted it.
      safeStorage.remove(getWasKeptKey(userId));
      await storage.stopKeeping(takeId);
    },
    async deleteLecture(id) {
      await callServer(() => trpc.lectures.delete.mutate({ id })).catch(() => {});
    },
    onLecturesChanged() {
      void refetchQueries(getQueryKey(api.lectures));
      void refetchQueries(getQueryKey(api.folders));
      void refreshSubscription();
    },
  });
}

/** Resolves once a page has opened the session. */
function getSession(): Promise<RecordingSession> {
  const open = recordingSession.get();
  if (open !== null) return Promise.resolve(open);
  return new Promise((resolve) => {
    const unsubscribe = recordingSession.subscribe(() => {
      const session = recordingSession.get();
      if (session === null) return;
      unsubscribe();
      resolve(session);
    });
  });
}

/** Safe to repeat. @throws ApiError */
async function createLecture(
  id: string,
  { title, recordedAt }: Pick<MediaJob, "title" | "recordedAt">,
  settings: MediaSettings,
): Promise<void> {
  const { folderId, languages } = settings;
  const call = (run: () => Promise<unknown>) => withRetries(browserClock, () => callServer(run));
  const input = { id, title, titleSource: "person" as const, ...languages };
  const folder = folderId === null ? {} : { folderId };
  const date = recordedAt === null ? {} : { recordedAt };
  await call(() => trpc.lectures.create.mutate({ ...input, ...folder, ...date }));
  await call(() => trpc.lectures.complete.mutate({ id, title }));
}
