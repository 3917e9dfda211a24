import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The data directory is already open, in another process or in this one. */
export class DataDirectoryInUseError extends Error {
  override readonly name = "DataDirectoryInUseError";

  constructor(directory: string, owner: string | null) {
    super(
      `The database in ${directory} is already open${owner === null ? "" : ` in process ${owner}`}. ` +
        "Stop that one first, or choose another directory.",
    );
  }
}

export interface DataDirectory {
  /** Path of the database cluster. */
  path: string;
  /** Call when the cluster is complete: otherwise the next claim removes it. */
  markComplete(): void;
  release(): void;
}

const sqliteBusy = 5;

/**
 * Locks the directory with SQLite's file lock. The operating system releases it when the process ends,
 * even after a crash, so a stale lock cannot remain.
 *
 * @throws DataDirectoryInUseError
 */
function lock(directory: string): DatabaseSync {
  const lockFile = new DatabaseSync(join(directory, "lock"));
  try {
    lockFile.exec("BEGIN EXCLUSIVE");
    return lockFile;
  } catch (error) {
    lockFile.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) {
      const ownerFile = join(directory, "owner");
      throw new DataDirectoryInUseError(
        directory,
        existsSync(ownerFile) ? readFileSync(ownerFile, "utf8").trim() : null,
      );
    }
    throw error;
  }
}

/**
 * Reserves `directory` for this process and creates it if it is missing.
 *
 * Removes a cluster whose creation was interrupted: nothing was ever stored in it.
 *
 * @throws DataDirectoryInUseError
 */
export function claimDataDirectory(directory: string): DataDirectory {
  mkdirSync(directory, { recursive: true });
  const lockFile = lock(directory);
  writeFileSync(join(directory, "owner"), `${process.pid}\n`);
  const path = join(directory, "data");
  const completeFile = join(directory, "complete");
  if (!existsSync(completeFile)) rmSync(path, { recursive: true, force: true });
  return {
    path,
    markComplete: () => writeFileSync(completeFile, ""),
    release: () => lockFile.close(),
  };
}
