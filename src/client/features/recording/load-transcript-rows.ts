import { lazyPart } from "#client/lib/lazy.tsx";
import { recordingMessages } from "./messages/index.ts";

/** Rows, and what is done with them: the first screen may have none yet. */
export const loadTranscriptRows = () => import("./transcript-rows.tsx");

export const TranscriptRows = lazyPart(
  async () => ({
    default: (await loadTranscriptRows()).TranscriptRows,
  }),
  recordingMessages,
);

export const MoreMenu = lazyPart(
  async () => ({ default: (await loadTranscriptRows()).MoreMenu }),
  recordingMessages,
);
