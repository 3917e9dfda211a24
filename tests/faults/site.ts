import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChild } from "#bench/processes.ts";
import { type Edge, startEdge } from "#local/edge.ts";
import { startEmbeddedStack } from "#local/stack.ts";
import { buildDir as defaultBuildDir } from "#tests/e2e/support/prepared-files.ts";
import type { Site } from "#tests/e2e/support/site.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";
import { installTinyDetector } from "#tests/fixtures/speech-model/tiny-detector.ts";
import { Line } from "./line.ts";

export type Service = "Soniox" | "Deepgram";

/** The production build on an embedded stack, with lines that can fail before it and behind it. */
export interface FaultSite extends Site {
  service: Service;
  /** From the browser to the worker. */
  front: Line;
  /** From the worker to the stack: kinds `database` and `provider`. */
  back: Line;
  /** Tells the stand-in of the speech service to fail. */
  speech(order: object): Promise<void>;
  /** Aborts the room of a lecture: its memory is gone, its sockets close. */
  killRoom(lectureId: string): Promise<void>;
  /** Ends the worker and starts another version of it, on the same storage. */
  deploy(): Promise<void>;
  /** Ends all failures. */
  repair(): Promise<void>;
}

const entry = "faults.js";
/** The product with one more address, which aborts a room: workerd has no command for that. */
const entryCode = `
import product, { RecordingRoom as Room } from "./index.js";
export * from "./index.js";
export class RecordingRoom extends Room {
  fetch(request) {
    if (new URL(request.url).pathname !== "/abort") return super.fetch(request);
    this.ctx.abort("killed by a test");
  }
}
export default {
  ...product,
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/abort-room") return product.fetch(request, env, ctx);
    const room = env.RECORDING_ROOM.getByName(searchParams.get("lecture"));
    await room.fetch("http://room/abort").catch(() => {});
    return new Response("killed");
  },
};
`;

/** Gives the build in `directory` another version, as a deployment of other code has. */
async function changeVersion(directory: string): Promise<void> {
  const version = (await readFile(join(directory, "version.txt"), "utf8")).trim();
  for (const name of globSync("*.{html,txt,js}", { cwd: directory })) {
    const file = join(directory, name);
    const text = await readFile(file, "utf8");
    if (text.includes(version)) await writeFile(file, text.replaceAll(version, "another-version"));
  }
}

const getPort = (url: string) => Number(new URL(url).port);

const findKind = (request: string) =>
  /^GET \/(soniox|deepgram)\//.test(request) ? "provider" : "database";

/** `BUILD`: another build than that of the end-to-end tests. */
export async function startFaultSite(service: Service): Promise<FaultSite> {
  const buildDir = process.env.BUILD ?? defaultBuildDir;
  const directory = await mkdtemp(join(tmpdir(), "dualect-faults-"));
  const [build, nextBuild] = [join(directory, "build"), join(directory, "next")];
  await cp(buildDir, build, { recursive: true });
  await installTinyDetector(build);
  await writeFile(join(build, "dualect", entry), entryCode);
  await cp(build, nextBuild, { recursive: true });
  await changeVersion(join(nextBuild, "client"));

  const stack = await startEmbeddedStack({
    dataDir: null,
    databaseImage: await readDatabaseImage(),
    port: 0,
    env: {},
  });
  const back = await Line.open(getPort(stack.url), findKind);
  const streams = back.url.replace("http", "ws");
  const speech =
    service === "Soniox"
      ? { SONIOX_API_KEY: "key", SONIOX_URL: `${streams}/soniox/transcribe-websocket` }
      : {
          SPEECH_PROVIDER: "deepgram",
          DEEPGRAM_API_KEY: "key",
          DEEPGRAM_URL: `${streams}/deepgram/v1/listen`,
        };
  const log: string[] = [];
  const start = (from: string): Promise<Edge> =>
    startEdge({
      buildDir: from,
      entry,
      port: 0,
      persistDir: join(directory, "storage"),
      vars: { ...stack.vars, LOCAL_STACK_URL: back.url, ...speech },
      log: (line) => log.push(line),
    });
  let edge = await start(build);
  let served = build;
  const front = await Line.open(getPort(edge.url));
  stack.announce(edge.url);

  const control = async (name: string, order: object) => {
    const answer = await fetch(`${stack.url}/${name}/control`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order),
    });
    if (!answer.ok) throw new Error(`${name} refused ${JSON.stringify(order)}: ${answer.status}`);
  };
  return {
    service,
    front,
    back,
    url: front.url,
    stackUrl: stack.url,
    control,
    speech: (order) => control(service.toLowerCase(), order),
    killEdge: () => process.kill(findChild(process.pid, "workerd"), "SIGKILL"),
    async killRoom(lectureId) {
      await fetch(`${edge.url}/abort-room?lecture=${lectureId}`);
    },
    async deploy() {
      await edge.close();
      served = served === build ? nextBuild : build;
      edge = await start(served);
      front.target = getPort(edge.url);
    },
    async repair() {
      front.repair();
      back.repair();
      await control(service.toLowerCase(), { reset: true });
    },
    async close() {
      await front.close();
      await edge.close();
      await back.close();
      await stack.close();
      await rm(directory, { recursive: true });
      if (process.env.E2E_LOG) console.log(log.join("\n"));
    },
  };
}
