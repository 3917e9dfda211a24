import { formatDay } from "#client/lib/dates.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { formatText } from "#client/reading/format-text.ts";
import { getShownTexts, getShownWords } from "#client/reading/shown-texts.ts";
import { readingMode, translationFirst } from "#client/state/preferences.ts";
import type { Lecture } from "#shared/lecture.ts";
import { t } from "./messages/index.ts";
import type { ReaderSession, SaveFile } from "./reader-session.ts";
import type { SharedLecture } from "./shared-lecture.ts";

/** Copies what is shown. */
export async function copyText({ lecture }: ReaderSession): Promise<void> {
  const texts = getShownTexts(readingMode.get(), translationFirst.get());
  const text = formatText(lecture.transcript.blocks.get(), lecture.view.get().speakerNames, (row) =>
    getShownWords(texts, row),
  );
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: "success", title: t("live.copied") });
  } catch {
    toastFailure(t("live.copyFailed"));
  }
}

export async function saveText(
  { lecture }: ReaderSession,
  format: "txt" | "srt",
  saveFile: SaveFile,
): Promise<void> {
  const now = new Date().toISOString();
  const note = t("live.fileNote", { date: formatDay(now) });
  try {
    await saveFile(toLecture(lecture, now), { format, untitled: t("live.title"), note });
  } catch (failure) {
    console.warn("The file could not be created", failure);
    toastFailure(t("live.saveFailed"));
  }
}

/** In the form from which files are created. */
function toLecture({ view, transcript, summary }: SharedLecture, now: string): Lecture {
  const { lecture, targetLanguage, speakerNames } = view.get();
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
    targetLanguage,
    originalText: "",
    translatedText: "",
    summary: summary.get().text || null,
    context: null,
    speakerNames,
    entries: transcript.rows(),
    marks: [],
    takes: [],
  };
}
