import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

interface Holder {
  pid: number;
  /** Address of the running site; null while it starts. */
  url: string | null;
}

/** A start takes no longer than this. An older file without an address was left by a process that died. */
const startMs = 120_000;

class AlreadyRunningError extends Error {
  override readonly name = "AlreadyRunning";

  constructor(holder: Holder) {
    const where = holder.url ? ` at ${holder.url}` : "";
    super(
      `Dualect is already running${where} (process ${holder.pid}). Stop it with Ctrl-C in its terminal.`,
    );
  }
}

/**
 * Allows one running stack for each data directory. The file names the process that holds the lock; the
 * lock of a process that has ended is taken over.
 *
 * @throws AlreadyRunningError
 */
export async function acquireRunLock(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const write = (url: string | null, flag: "w" | "wx") =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, url } satisfies Holder), { flag });
  try {
    write(null, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = readHolder(file);
    if (holder && (await isRunning(holder, file))) throw new AlreadyRunningError(holder);
    write(null, "w");
  }
  return {
    /** Stores the address, which a second start prints. */
    announce: (url: string) => write(url, "w"),
    release: () => rmSync(file, { force: true }),
  };
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8"));
    return typeof holder?.pid === "number" ? holder : null;
  } catch {
    return null;
  }
}

/** The system reuses process ids, so the address must answer as well. */
async function isRunning({ pid, url }: Holder, file: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (!url) return Date.now() - statSync(file).mtimeMs < startMs;
  try {
    const answer = await fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(3_000) });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
