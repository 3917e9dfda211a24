import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import type { BackupItem, BackupManifest, BackupSound } from "#client/state/backup-format.ts";
import { BackupError } from "./backup-error.ts";
import type { BackupQuestions, BackupReport, BackupRequest } from "./backup-messages.ts";

/** Without a report for so long, ms, the reader is ended: ten times what 4 MiB take on a slow phone. */
const silentMaxMs = 20_000;

/** A backup that a worker reads. */
export class Backup {
  private constructor(
    private readonly worker: FileWorker<BackupRequest, BackupReport>,
    readonly manifest: BackupManifest,
  ) {}

  /**
   * Opens a ZIP of `createBackup`. Nothing but its manifest is read. Of what it contains only the types are checked here;
   * the server checks the rest.
   *
   * @param signal ends the worker, and what waits for it
   * @throws BackupError; the reason of `signal`
   */
  static async open(file: Blob, signal: AbortSignal): Promise<Backup> {
    const worker = new FileWorker<BackupRequest, BackupReport>(
      new Worker(new URL("./backup.worker.ts", import.meta.url), { type: "module" }),
      { getReport: (data) => data as BackupReport, silentMaxMs, signal },
    );
    try {
      return new Backup(worker, await ask(worker, "open", file));
    } catch (failure) {
      worker.close();
      throw failure;
    }
  }

  /** A lecture without its rows. They are in its parts, until the next lecture is read. @throws BackupError */
  readLecture = ({ file }: BackupItem) => ask(this.worker, "lecture", file);
  /** A call that stores rows of the lecture, by its number from 0. @throws BackupError */
  readPart = (index: number) => ask(this.worker, "part", index);
  /** @throws BackupError */
  readSound = ({ file }: BackupSound) => ask(this.worker, "sound", file);
  /** A slide's picture. @throws BackupError */
  readPicture = (file: string) => ask(this.worker, "picture", file);
  /** @throws BackupError */
  readTerms = () => ask(this.worker, "terms", null);
  /** The next page of them; empty: there are no more. @throws BackupError */
  readQuestions = () => ask(this.worker, "questions", null);
  /** The same of the quiz. @throws BackupError */
  readQuiz = () => ask(this.worker, "quiz", null);

  close(): void {
    this.worker.close();
  }
}

async function ask<Kind extends keyof BackupQuestions>(
  worker: FileWorker<BackupRequest, BackupReport>,
  kind: Kind,
  input: BackupQuestions[Kind]["input"],
): Promise<BackupQuestions[Kind]["result"]> {
  try {
    return await worker.call({ kind, input } as BackupRequest, (report) => {
      if (report.kind === "problem") throw new BackupError(report.problem);
      return report.kind === "result" ? (report.result as BackupQuestions[Kind]["result"]) : null;
    });
  } catch (failure) {
    if (!(failure instanceof FileWorkerError)) throw failure;
    throw new BackupError(failure.reason === "slow" ? "slow" : "unreadable");
  }
}
