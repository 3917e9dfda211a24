import type { TranscriptTransfer } from "#client/realtime/session-types.ts";
import type { EditableLecture } from "./editable-lecture.ts";

/** The text of `document`, which moves into a new lecture. */
export function createTransfer(
  { writer, details, stored, marks, recorded }: EditableLecture,
  recordedSeconds: number,
): TranscriptTransfer {
  const { transcript, language, finalMs } = writer;
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
