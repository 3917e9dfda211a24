import type { LibraryCache } from "./cache.ts";
import type { LibraryChanges } from "./changes.ts";
import type { LibraryServer } from "./library-server.ts";
import type { OpenRecording } from "./open-recording.ts";

export interface LibraryDeps {
  cache: LibraryCache;
  changes: LibraryChanges;
  server: LibraryServer;
  recording: OpenRecording;
}
