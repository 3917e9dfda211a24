import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Linux counts CPU time in hundredths of a second on all common platforms. */
const ticksPerSecond = 100;
const mebibyte = 1024 * 1024;

/** A part of a benchmark that runs in a process of its own, so that its CPU time is counted separately. */
export interface BenchProcess<Ready> {
  process: ChildProcess;
  pid: number;
  ready: Ready;
  stop(): Promise<void>;
}

/**
 * Starts the program `file` of this folder, sends it `input` and waits for its first message.
 *
 * @param isIdle run it and its children only when the CPU is otherwise idle (Linux's SCHED_IDLE).
 */
export async function startProcess<Ready>(
  file: string,
  input: object,
  isIdle = false,
): Promise<BenchProcess<Ready>> {
  const policy = isIdle ? "--idle" : "--other";
  const execArgv = [policy, "0", process.execPath, ...process.execArgv];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execPath: "chrt", execArgv });
  child.send(input);
  const ready = await nextMessage<Ready>(child, file);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  return {
    process: child,
    pid,
    ready,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** Sends `message` to a process and waits for its answer. */
export async function request<Answer>(
  target: BenchProcess<unknown>,
  message: object | string,
): Promise<Answer> {
  const answer = nextMessage<Answer>(
    target.process,
    target.process.spawnargs.at(-1) ?? "a process",
  );
  target.process.send(message);
  return answer;
}

/** Waits for the next message of `child`. @throws when it exits first. */
export async function nextMessage<T>(child: ChildProcess, name: string): Promise<T> {
  const abort = new AbortController();
  const { signal } = abort;
  try {
    const ended = once(child, "exit", { signal }).then(([code]) => {
      throw new Error(`${name} ended with ${code}`);
    });
    const [message] = await Promise.race([once(child, "message", { signal }), ended]);
    return message as T;
  } finally {
    abort.abort();
  }
}

/** In a child process: waits for its input. The process exits when the benchmark disconnects or ends. */
export async function receiveInput<T>(close: () => void | Promise<void>): Promise<T> {
  process.on("disconnect", async () => {
    await close();
    process.exit(0);
  });
  const [input] = await once(process, "message");
  return input as T;
}

/** In a child process: sends a message to the benchmark. */
export function sendToParent(message: object): void {
  process.send?.(message);
}

/** CPU seconds of the process `pid`: user and system time of all threads. */
export function readCpuSeconds(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU seconds of all processes that `pid` has started, directly or not, and that run. */
export function readChildrenCpuSeconds(pid: number): number {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = tryTo(() => Number(readStat(Number(entry))[1]));
    if (parent !== null) parents.set(Number(entry), parent);
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isBelow(parents.get(one)));
  return [...parents]
    .filter(([, parent]) => isBelow(parent))
    .reduce((sum, [one]) => sum + (tryTo(() => readCpuSeconds(one)) ?? 0), 0);
}

/** Null for a process that has ended meanwhile. */
function tryTo<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Resident memory of the process `pid`, MiB. */
export function readResidentMiB(pid: number): number {
  return readMemoryMiB(pid, "VmRSS");
}

/** Peak resident memory of the process `pid`, MiB. */
export function readPeakMiB(pid: number): number {
  return readMemoryMiB(pid, "VmHWM");
}

function readMemoryMiB(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status);
  return (Number(line?.[1]) * 1024) / mebibyte;
}

/** The process id of the child of `parent` that runs `program`. @throws when there is none. */
export function findChild(parent: number, program: string): number {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const isChild = Number(readStat(Number(entry))[1]) === parent;
      const name = readFileSync(`/proc/${entry}/comm`, "utf8").trim();
      if (isChild && name === program) return Number(entry);
    } catch {
      // The process ended after it was listed.
    }
  }
  throw new Error(`process ${parent} has no child ${program}`);
}

/** Fields of /proc/PID/stat after the program's name (a name may contain spaces). */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

export function readWorkerdVersion(): string {
  return JSON.parse(readFileSync("node_modules/workerd/package.json", "utf8")).version;
}
