import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./support/test.ts";

/** `npm start` in a terminal. `run-lock.test.ts` holds the refusal of a second start every time. */

let dataDir: string;
const created: string[] = [];
const createDataDir = () => {
  const folder = mkdtempSync(join(tmpdir(), "dualect-start-"));
  created.push(folder);
  return folder;
};
test.beforeEach(() => {
  dataDir = createDataDir();
});
test.afterEach(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Run {
  process: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Resolves when the output matches; rejects if the process ends before. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<number | null>;
}

function start(port: number, ...options: string[]): Run {
  const child = spawn("npm", ["start", "--silent", "--", ...options], {
    env: {
      ...process.env,
      PORT: String(port),
      DUALECT_DATA_DIR: dataDir,
      LOCAL_LLM: "off",
      LOCAL_SPEECH: "off",
    },
    // A separate process group, as in a terminal: Ctrl-C reaches every process in it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    output: () => output,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.match(pattern);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then((code) => reject(new Error(`ended with ${code}:\n${output}`)));
      }),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Whether any process of the group is left, including the leader's children. */
function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

test("starts, refuses a second start and a taken port, and stops all processes on Ctrl-C", {
  tag: "@nightly",
}, async () => {
  const port = await findFreePort();
  const first = start(port, "--no-build");
  const group = first.process.pid ?? 0;
  try {
    const [, url] = await first.printed(/running at (http:\/\/127\.0\.0\.1:\d+)/);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    expect(await (await fetch(`${url}/record`)).text()).toContain('<div id="root">');

    const second = start(await findFreePort(), "--no-build");
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`already running at ${url}`);
    dataDir = createDataDir();
    const third = start(port, "--no-build");
    expect(await third.ended).toBe(1);
    expect(third.output()).toContain(`Port ${port} (PORT) is taken`);

    process.kill(-group, "SIGINT");
    await first.ended;
    await expect.poll(() => isAlive(group)).toBe(false);
  } finally {
    if (isAlive(group)) process.kill(-group, "SIGKILL");
  }
});

test("builds, and keeps its data folder between runs", { tag: "@nightly" }, async () => {
  const port = await findFreePort();
  for (const options of [[], ["--no-build"]]) {
    const run = start(port, ...options);
    try {
      await run.printed(/running at/);
    } finally {
      process.kill(-(run.process.pid ?? 0), "SIGTERM");
      await run.ended;
    }
  }
});
