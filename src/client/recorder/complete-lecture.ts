import { joinOriginals } from "#client/lecture/rows/spoken-text.ts";
import { formatSavedTitle } from "#client/lecture/titles.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { saveWaitMs } from "#shared/limits.ts";
import type { LectureRecording } from "./lecture-recording.ts";

/** Why `lecture` cannot be saved now; null: it can. What was said may still become words: saving waits for them. */
export function findSaveObstacle(
  recording: LectureRecording,
  identity: "user" | "guest",
): SessionNotice | null {
  if (identity === "guest") return { kind: "signInRequired", for: "save" };
  if (recording.stored.lecture === null) return { kind: "noActiveLecture" };
  const hasSound = recording.hasUnsentAudio || recording.connection !== "idle";
  return recording.lecture.hasContent || hasSound ? null : { kind: "noContent", for: "save" };
}

/**
 * Completes `lecture` under what was entered. `title`: see `formatSavedTitle`; `folderId` null: in no folder, undefined:
 * where it is. Returns the notice of the outcome. Audio that is still unsent is sent afterwards.
 */
export async function completeLecture(
  recording: LectureRecording,
  clock: Clock,
  entered: { title: string; folderId: string | null | undefined },
): Promise<SessionNotice> {
  const { stored, writer, lecture, hasUnsentAudio } = recording;
  if (!lecture.hasContent && !hasUnsentAudio) return { kind: "noContent", for: "save" };
  const info = stored.lecture;
  recording.details.summary.keepDraft();
  if (info === null || !(await stored.flush(saveWaitMs))) return { kind: "saveFailed" };
  const original = joinOriginals(writer.transcript.rows());
  const title = formatSavedTitle(entered.title, original, info.title, clock.now());
  const isUnchanged = info.titleSource !== "date" && entered.title.trim() === info.title;
  const isTyped = entered.title.trim() !== "" || info.titleSource === "person";
  // Another device may have named the lecture since the dialog showed its title.
  const titleSource = isTyped && !isUnchanged ? "person" : "proposed";
  const { folderId } = entered;
  const folder = folderId === undefined ? {} : { folderId };
  try {
    await stored.complete({ title, titleSource, ...folder });
  } catch (error) {
    const isFolderMissing = error instanceof ApiError && error.code === "conflict";
    return { kind: isFolderMissing ? "folderMissing" : "saveFailed" };
  }
  const words = writer.transcript.wordCount.get();
  const unsentSeconds = recording.hasUnsentAudio ? Math.max(1, recording.unsentSeconds) : 0;
  return { kind: "lectureSaved", words, unsentSeconds };
}
