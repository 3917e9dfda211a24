/**
 * `kind`: no backup. `broken`: damaged, or its end is missing. `unsafe`: what no backup has, such as a path that leaves its
 * folder, or more than a backup can hold. `version`: of a later version. `slow`: it took too long. `unreadable`: the disk
 * does not give it, or what reads it was not loaded.
 */
export type BackupProblem = "kind" | "broken" | "unsafe" | "version" | "slow" | "unreadable";

export class BackupError extends Error {
  override readonly name = "BackupError";

  constructor(readonly problem: BackupProblem) {
    super(problem);
  }
}
