import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import { getTextEnd } from "#client/recognition/heard-takes.ts";
import type { LectureText } from "#client/recorder/lecture-takes.ts";
import { getTakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { LanguagePair, TranslationLanguage } from "#shared/languages.ts";
import type { LectureInfo } from "#shared/lecture.ts";
import { topicMaxLength } from "#shared/limits.ts";

/** As far as a person wrote it. */
const getTopic = (lecture: LectureInfo | null): string =>
  lecture?.titleSource === "person" ? lecture.title.slice(0, topicMaxLength) : "";

export function connectTextWithTakes(
  document: EditableLecture,
  diarization: () => boolean,
  /** What the speech service is to translate into in its stream; null: it is not. */
  getStreamTarget: (languages: LanguagePair) => TranslationLanguage | null,
): LectureText {
  const { writer, details, recorded, stored } = document;
  return {
    hintSource: {
      getTerms: () => document.terms.get(),
      getLanguages: () => writer.languages,
      getRows: () => writer.transcript.rows(),
      getTopic: () => getTopic(stored.lecture),
    },
    settings: () => ({
      diarization: diarization(),
      context: details.context.trimmedText,
      lectureEndMs: writer.finalMs,
      translateInto: getStreamTarget(writer.languages),
    }),
    languages: () => getTakeLanguages(writer.languages),
    openSource: (isWanted, onReplaced) =>
      writer.hasSource && !isWanted ? null : writer.openSource(onReplaced),
    getLastText: () => getTextEnd(writer.transcript.rows()),
    commitWords: () => {
      writer.commit();
      return { text: getTextEnd(writer.transcript.rows()), endMs: writer.finalMs };
    },
    onDemoVoice: () => details.markDemoText(),
    onReport: (report, isDue) => document.reportTake(report, isDue),
    isReported: (takeId) => recorded.isSaved(takeId),
  };
}
