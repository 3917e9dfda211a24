import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { EditableLecture } from "./editable-lecture.ts";

/** The text of `document`, which moves into a new lecture; null when there is none. */
export function createTransfer(
  { writer, details, stored, marks, recorded }: EditableLecture,
  recordedSeconds: number,
): TranscriptTransfer | null {
  const { transcript, languages, finalMs } = writer;
  if (transcript.length === 0) return null;
  const { context, speakerNames, hasDemoText } = details;
  const { text, draft } = details.summary.view.get();
  return {
    name: stored.name,
    rows: transcript.rows(),
    marks: marks.get(),
    takes: recorded.list.get(),
    languages,
    finalMs,
    recordedSeconds,
    speakerNames,
    actionItems: details.actionItems.get(),
    hasDemoText,
    context: context.text,
    summary: draft ?? text,
  };
}

/** The server's copy of `document`, of which `cached` is an older version, once everything is saved. */
export function toLecture(document: EditableLecture, cached: Lecture): Lecture {
  const { writer, details } = document;
  const summary = document.summary.get().text;
  return {
    ...cached,
    ...writer.languages,
    summary: summary.trim() === "" ? null : summary,
    context: details.context.trimmedText || null,
    speakerNames: { ...details.speakerNames },
    actionItems: [...details.actionItems.get()],
    hasDemoText: details.hasDemoText,
    marks: [...document.marks.get()],
    takes: [...document.recorded.list.get()],
    // `seq` stays as it is: rows that others have written up to a later one may be missing.
    entries: document.listStoredRows(),
  };
}
