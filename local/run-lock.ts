import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

interface Holder {
  pid: number;
  /** What the holder serves, once it does. */
  url: string | null;
}

/** A start takes no longer than this; an older file without an address was left by one that died. */
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
 * One running stack for one data folder. The file names the process; a process that is gone has lost it.
 *
 * @throws AlreadyRunning
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
    /** Tells a second start where this one is to be found. */
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

/** Process numbers are used again, so the address must answer too. */
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
