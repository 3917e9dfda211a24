import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { ProofSite } from "./program-site.ts";

/** A program of other authors on this machine, and what the product does with it. */
export interface ProgramPart {
  name: string;
  /** The version; null where it is not installed. */
  findVersion(): Promise<string | null>;
  /** How to install it. */
  install: string;
  tried: string;
  /** What came of it. @throws where it is not as it should be */
  run(site: ProofSite): Promise<string>;
}

/** The environment of Python's programs and the folder of Go's, which `PROOF_PROGRAMS` names. */
const folder = resolve(process.env.PROOF_PROGRAMS ?? ".local/proof");
const bin = join(folder, "bin");

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };

/** Runs a program of `folder` or of the path. */
export const runProgram = (command: string, args: readonly string[], cwd?: string) =>
  promisify(execFile)(command, args, {
    env,
    maxBuffer: 64 * 1024 * 1024,
    ...(cwd !== undefined && { cwd }),
  });

export const programPath = (name: string): string => join(bin, name);

/** What `command` prints, without the line's end; null where it is not there. */
export async function readOutput(command: string, args: string[]): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram(command, args);
    return (stdout || stderr).trim();
  } catch {
    return null;
  }
}

export const findMatch = (text: string | null, pattern: RegExp): string | null =>
  (text && pattern.exec(text)?.[1]) ?? null;

/** The version of a package of Python; null where it is not installed. */
export const findPythonVersion = (name: string): Promise<string | null> =>
  readOutput(programPath("python"), [
    "-c",
    `from importlib.metadata import version; print(version("${name}"))`,
  ]);

/** The version of the module that a program of Go is built of; null where it is not installed. */
export const findGoVersion = async (name: string): Promise<string | null> =>
  findMatch(await readOutput("go", ["version", "-m", programPath(name)]), /\tmod\t\S+\t(\S+)/);

export const installPython = (packages: string): string =>
  `python3 -m venv .local/proof && .local/proof/bin/pip install ${packages}`;

export const installGo = (module: string): string =>
  `GOBIN=$PWD/.local/proof/bin go install ${module}@latest`;

/** Calls `use` with a new folder, which is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const created = await mkdtemp(join(tmpdir(), "dualect-proof-"));
  try {
    return await use(created);
  } finally {
    await rm(created, { recursive: true, force: true });
  }
}
