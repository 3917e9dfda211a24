import { getTextEnd } from "#client/realtime/takes/heard-takes.ts";
import type { LectureTakesDeps } from "#client/realtime/takes/lecture-takes.ts";
import { isTranslationLanguage, type LanguagePair, toSpokenLanguage } from "#shared/languages.ts";
import type { RelayConfig } from "#shared/relay.ts";
import type { EditableLecture } from "./editable-lecture.ts";

interface Settings {
  diarization(): boolean;
}

/** What the takes of a lecture read of its text, and what they change in it. */
export function connectTextWithTakes(
  document: EditableLecture,
  { diarization }: Settings,
): Pick<
  LectureTakesDeps,
  "settings" | "openSource" | "getLastText" | "onDemoVoice" | "onReport" | "isReported"
> {
  const { writer, details, recorded } = document;
  return {
    settings: () => ({
      ...listSpoken(writer.languages),
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

/** The languages in which words are recognised. */
function listSpoken({
  sourceLanguage,
  targetLanguage,
  isTwoWay,
}: LanguagePair): Pick<RelayConfig, "language" | "secondLanguage"> {
  const hasSecond = isTwoWay && isTranslationLanguage(targetLanguage);
  return {
    language: sourceLanguage,
    ...(hasSecond && { secondLanguage: toSpokenLanguage(targetLanguage) }),
  };
}
