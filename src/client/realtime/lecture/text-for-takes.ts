import { getTextEnd } from "#client/realtime/takes/heard-takes.ts";
import type { LectureTakesDeps } from "#client/realtime/takes/lecture-takes.ts";
import type { SourceLanguage } from "#shared/languages.ts";
import type { EditableLecture } from "./editable-lecture.ts";

interface Settings {
  sourceLanguage: SourceLanguage;
  diarization(): boolean;
}

/** What the takes of a lecture read of its text, and what they change in it. */
export function connectTextWithTakes(
  document: EditableLecture,
  { sourceLanguage, diarization }: Settings,
): Pick<
  LectureTakesDeps,
  "settings" | "openSource" | "getLastText" | "onDemoVoice" | "onReport" | "isReported"
> {
  const { writer, details, recorded } = document;
  return {
    settings: () => ({
      language: sourceLanguage,
      diarization: diarization(),
      context: details.context.trimmedText,
      lectureEndMs: writer.finalMs,
    }),
    openSource: (isWanted, onReplaced) =>
      writer.hasSource && !isWanted ? null : writer.openSource(onReplaced),
    getLastText: () => getTextEnd(writer.transcript.rows()),
    onDemoVoice: () => details.markDemoText(),
    onReport: (report, isDue) => document.reportTake(report, isDue),
    isReported: (takeId) => recorded.isSaved(takeId),
  };
}
