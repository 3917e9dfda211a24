import { recordingSession } from "#client/state/recording.ts";
import type { LibraryCache } from "./cache.ts";
import type { LibraryChanges } from "./changes.ts";
import type { LibraryServer } from "./library-server.ts";

export interface LibraryDeps {
  cache: LibraryCache;
  changes: LibraryChanges;
  server: LibraryServer;
  recording: typeof openRecording;
}

/** What the library's actions need of this tab's recording. */
export const openRecording = {
  getOpenId: (): string | null => recordingSession.get()?.view.get().lecture?.id ?? null,
  close: async (): Promise<void> => recordingSession.get()?.reset({ quiet: true }),
  notifyDeleted: (id: string): void => recordingSession.get()?.onLectureDeleted(id),
  /** Reopens lecture `id`, whose deletion failed, unless another lecture is open by now. */
  async reopen(id: string): Promise<void> {
    const session = recordingSession.get();
    if (session?.view.get().lecture === null) await session.load(id);
  },
  notifyRenamed: (id: string, title: string): void =>
    recordingSession.get()?.onLectureRenamed(id, title),
};
