import type { TranscriptTransfer } from "#client/realtime/session-types.ts";
import type { EditableLecture } from "./editable-lecture.ts";

/** The text of `document`, which moves into a new lecture; null when there is none. */
export function createTransfer(
  { writer, details, stored, marks, recorded }: EditableLecture,
  recordedSeconds: number,
): TranscriptTransfer | null {
  const { transcript, language, finalMs } = writer;
  if (transcript.length === 0) return null;
  const { context, speakerNames, summary, hasDemoText } = details;
  return {
    name: stored.name,
    rows: transcript.rows(),
    marks: marks.get(),
    takes: recorded.list.get(),
    language,
    finalMs,
    recordedSeconds,
    speakerNames,
    hasDemoText,
    context: context.text,
    summary: summary.view.get().text,
  };
}
