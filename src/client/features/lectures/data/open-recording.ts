import { recordingSession } from "../../../lib/recording.ts";

/** The recording of this tab, as far as deleting a lecture concerns it. */
export interface OpenRecording {
  /** The lecture that is open; null when none is. */
  openId(): string | null;
  /** Stops and saves what is open and clears the screen. */
  leave(): Promise<void>;
  /** Lecture `id` was deleted. */
  deleted(id: string): void;
  /** Lecture `id` was not deleted after all: shows it again, unless something else is open by now. */
  comeBack(id: string): Promise<void>;
  /** Lecture `id` has a new name. */
  renamed(id: string, title: string): void;
}

export const openRecording: OpenRecording = {
  openId: () => recordingSession.get()?.view.get().lecture?.id ?? null,
  leave: async () => recordingSession.get()?.reset({ quiet: true }),
  deleted: (id) => recordingSession.get()?.lectureDeleted(id),
  async comeBack(id) {
    const session = recordingSession.get();
    if (session?.view.get().lecture === null) await session.load(id);
  },
  renamed: (id, title) => recordingSession.get()?.lectureRenamed(id, title),
};
