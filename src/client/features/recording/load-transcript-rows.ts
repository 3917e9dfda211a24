import { lazyPart } from "#client/lib/lazy.tsx";
import { recordingMessages } from "./messages/index.ts";

/** Rows, and what is done with them: the first screen may have none yet. */
export const loadRows = () => import("./transcript-rows.tsx");

export const TranscriptRows = lazyPart(
  async () => ({
    default: (await loadRows()).TranscriptRows,
  }),
  recordingMessages,
);

export const MoreMenu = lazyPart(
  async () => ({ default: (await loadRows()).MoreMenu }),
  recordingMessages,
);
