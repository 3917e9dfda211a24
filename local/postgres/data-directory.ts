import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The data directory is open in another process, or a second time in this one. */
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
  /** Where the cluster lies. */
  path: string;
  /** Call once the cluster is complete: without it, the next claim starts anew. */
  markComplete(): void;
  release(): void;
}

const sqliteBusy = 5;

/**
 * The lock is one of the operating system (through SQLite's file locking): it ends with the process,
 * however that ends, so no stale lock can be left behind.
 *
 * @throws DataDirectoryInUseError
 */
function lock(directory: string): DatabaseSync {
  const guard = new DatabaseSync(join(directory, "lock"));
  try {
    guard.exec("BEGIN EXCLUSIVE");
    return guard;
  } catch (error) {
    guard.close();
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
 * Takes `directory` for this process; makes it where it is missing.
 *
 * A cluster whose making was interrupted is removed: nothing was ever stored in it.
 *
 * @throws DataDirectoryInUseError
 */
export function claimDataDirectory(directory: string): DataDirectory {
  mkdirSync(directory, { recursive: true });
  const guard = lock(directory);
  writeFileSync(join(directory, "owner"), `${process.pid}\n`);
  const path = join(directory, "data");
  const complete = join(directory, "complete");
  if (!existsSync(complete)) rmSync(path, { recursive: true, force: true });
  return {
    path,
    markComplete: () => writeFileSync(complete, ""),
    release: () => guard.close(),
  };
}
