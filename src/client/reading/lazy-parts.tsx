import { lazyPart } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";

/** The chunk with the rows and their tools. Loaded on demand: a new recording has no rows. */
const loadTranscriptRows = () => import("./transcript-rows.tsx");

export const TranscriptRows = lazyPart(loadTranscriptRows, readingDialogMessages);

export const MarkButton = lazyPart(
  async () => ({ default: (await loadTranscriptRows()).MarkButton }),
  readingDialogMessages,
);

const toolPlace = <span className="touch-target size-8 shrink-0" />;

/** The places of `PageTools`, which are loaded after the first paint. */
export const ToolPlaces = () => (
  <>
    {toolPlace}
    {toolPlace}
  </>
);
