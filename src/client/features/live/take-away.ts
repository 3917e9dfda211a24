import { getLanguage } from "#client/i18n/bundle.ts";
import { formatDay } from "#client/lib/dates.ts";
import { copyText, toastFailure } from "#client/lib/notifications.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { formatShownText } from "#client/reading/format-text.ts";
import type { Lecture } from "#shared/lecture.ts";
import { t } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";
import type { SharedLecture } from "./shared-lecture.ts";

/** These functions need `readingDialogMessages`. */

export const copyLecture = ({ lecture }: ReaderSession): Promise<void> =>
  copyText(formatShownText(lecture), readingDialogMessages.t("live.copied"), [
    readingDialogMessages.t("live.copyFailed"),
  ]);

export async function saveText(
  { lecture, saveFile }: ReaderSession,
  format: "txt" | "srt",
): Promise<void> {
  const now = new Date().toISOString();
  const note = readingDialogMessages.t("live.fileNote", { date: formatDay(now, getLanguage()) });
  try {
    await saveFile(toLecture(lecture, now), { format, untitled: t("live.title"), note });
  } catch (failure) {
    console.warn("The file could not be created", failure);
    toastFailure(readingDialogMessages.t("live.saveFailed"));
  }
}

/** In the form from which files are created. */
function toLecture({ view, transcript, summary }: SharedLecture, now: string): Lecture {
  const { lecture, speakerNames, hasDemoText, sourceLanguage, targetLanguage, isTwoWay } =
    view.get();
  return {
    id: "",
    title: lecture?.title ?? "",
    titleSource: "person",
    status: "completed",
    folderId: null,
    createdAt: now,
    updatedAt: now,
    excerpt: "",
    translatedExcerpt: "",
    usedTime: 0,
    sourceLanguage,
    targetLanguage,
    isTwoWay,
    originalText: "",
    translatedText: "",
    summary: summary.get().text || null,
    context: null,
    speakerNames,
    actionItems: [],
    hasDemoText,
    entries: transcript.rows().map((row) => ({ ...row, seq: 0 })),
    seq: 0,
    marks: [],
    takes: [],
  };
}
