import { BackupError } from "./backup-error.ts";
import type { BackupReport, BackupRequest } from "./backup-messages.ts";
import { BackupReader } from "./read-backup.ts";

/** Answers the questions about one backup. Never rejects. */
export function serveBackup(
  report: (report: BackupReport) => void,
): (request: BackupRequest) => Promise<void> {
  let reader: BackupReader | null = null;
  const onProgress = () => report({ kind: "progress" });

  async function answer(request: BackupRequest) {
    if (request.kind === "open") {
      reader = await BackupReader.open(request.input, onProgress);
      return reader.manifest;
    }
    if (reader === null) throw new Error("The backup is not open");
    switch (request.kind) {
      case "lecture":
        return reader.readLecture(request.input);
      case "part":
        return reader.getPart(request.input);
      case "sound":
        return reader.readSound(request.input);
      case "picture":
        return reader.readPicture(request.input);
      case "terms":
        return reader.readTerms();
      case "questions":
        return reader.readQuestions();
      case "quiz":
        return reader.readQuiz();
    }
  }

  return async (request) => {
    try {
      report({ kind: "result", result: await answer(request) });
    } catch (failure) {
      const problem = failure instanceof BackupError ? failure.problem : "unreadable";
      report({ kind: "problem", problem });
    }
  };
}
