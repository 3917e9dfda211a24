import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createBuilder } from "vite";
import { captureSampleRate, usageFlushMs } from "../src/shared/limits.ts";
import type { AudioEncoding } from "../src/shared/relay.ts";
import { cpuSeconds, nextMessage, residentMiB, startPart } from "./processes.ts";
import type { LoadNews, LoadPlan, Percentiles } from "./relay-load.ts";
import type { RoomReady } from "./relay-room.ts";
import type { Recording, StackReady } from "./relay-stack.ts";

/**
 * `npm run bench:relay`: what the relay adds between a chunk and its token batch, and what it costs.
 *
 * The same load goes straight to the speech stand-in (an echo), through a plain Node relay and through
 * the RecordingRoom of the built worker in workerd, whose users are signed in and whose seconds go to
 * the ledger of the embedded database. `--quick`: 1 and 20 recordings, short.
 */
const quick = process.argv.includes("--quick");
const counts = quick ? [1, 20] : [1, 20, 100, 300];
const warmUpMs = 1_000;
/** A room writes to the ledger this often: the recordings begin spread over one such period. */
const measureMs = quick ? 5_000 : usageFlushMs;
const openOverMs = quick ? 2_000 : 3_000;
const openRoomsOverMs = quick ? 2_000 : usageFlushMs;
const encodings: AudioEncoding[] = ["base64", "binary"];

interface Cell {
  path: "direct" | "Node relay" | "room";
  encoding: AudioEncoding | "provider";
  recordings: number;
  all: Percentiles;
  typical: Percentiles;
  lost: number;
  /** Of the relay's process, per recorded minute. */
  cpuSeconds: number | null;
  /** Growth of the relay's resident memory per recording, MiB. */
  memoryMiB: number | null;
}

interface Relay {
  /** Process whose CPU and memory count, or null for none. */
  pid: number | null;
  target(recording: Recording): LoadPlan["targets"][number];
}

async function measure(
  place: Pick<Cell, "path" | "encoding" | "recordings">,
  relay: Relay,
  recordings: readonly Recording[],
): Promise<Cell> {
  const before = relay.pid === null ? 0 : residentMiB(relay.pid);
  const targets = recordings.slice(0, place.recordings).map((recording) => relay.target(recording));
  const spread = place.path === "room" ? openRoomsOverMs : openOverMs;
  const plan: LoadPlan = {
    targets,
    encoding: place.encoding,
    openOverMs: place.recordings === 1 ? 0 : spread,
    warmUpMs,
    measureMs,
  };
  const load = await startPart<LoadNews>("./relay-load.ts", plan);
  await nextMessage<LoadNews>(load.process, "load");
  const cpuBefore = relay.pid === null ? 0 : cpuSeconds(relay.pid);
  const began = performance.now();
  const news = await nextMessage<LoadNews>(load.process, "load");
  if (news.at !== "measured") throw new Error(`the load generator is at ${news.at}`);
  const minutes = (place.recordings * (performance.now() - began)) / 60_000;
  const cpu = relay.pid === null ? null : (cpuSeconds(relay.pid) - cpuBefore) / minutes;
  const memory = relay.pid === null ? null : (residentMiB(relay.pid) - before) / place.recordings;
  await load.stop();
  const { all, typical, sent, answered } = news;
  return { ...place, all, typical, lost: sent - answered, cpuSeconds: cpu, memoryMiB: memory };
}

async function run(): Promise<Cell[]> {
  const built = await build();
  const provider = await startPart<{ url: string }>("./relay-provider.ts", {});
  const providerUrl = provider.ready.url;
  const stack = await startPart<StackReady>("./relay-stack.ts", {
    providerUrl,
    recordings: Math.max(...counts),
  });
  const { recordings, vars } = stack.ready;
  const cells: Cell[] = [];
  const note = (cell: Cell) => {
    cells.push(cell);
    console.error(
      `${cell.recordings} × ${cell.path}, ${cell.encoding}: ${cell.typical.p95.toFixed(2)} ms`,
    );
  };
  for (const count of counts) {
    const direct = { url: providerUrl, headers: { authorization: "Bearer bench" } };
    const provided = { path: "direct", encoding: "provider", recordings: count } as const;
    note(await measure(provided, { pid: null, target: () => direct }, recordings));
    for (const encoding of encodings) {
      // A fresh process for each measurement: memory that an earlier one left would hide growth.
      const node = await startPart<{ url: string }>("./relay-node.ts", { providerUrl });
      const target = () => ({ url: node.ready.url, headers: {} });
      const place = { encoding, recordings: count };
      note(await measure({ path: "Node relay", ...place }, { pid: node.pid, target }, recordings));
      await node.stop();
      const room = await startPart<RoomReady>("./relay-room.ts", {
        vars,
        buildDir: built,
      });
      note(await measure({ path: "room", ...place }, roomRelay(room.ready), recordings));
      await room.stop();
    }
  }
  await stack.stop();
  await provider.stop();
  await rm(built, { recursive: true });
  return cells;
}

/** Builds, and keeps a copy: another build in the meantime must not change what is measured. */
async function build(): Promise<string> {
  console.error("Building the worker …");
  await (await createBuilder({ logLevel: "error" })).buildApp();
  const folder = await mkdtemp(join(tmpdir(), "dualect-bench-"));
  await cp("dist", folder, { recursive: true });
  return folder;
}

function roomRelay({ url, workerdPid }: RoomReady): Relay {
  return {
    pid: workerdPid,
    target: ({ lectureId, cookie }) => ({
      url: `${url.replace(/^http/, "ws")}/api/recordings/${lectureId}`,
      headers: { cookie, origin: url },
    }),
  };
}

function report(cells: readonly Cell[]): string {
  const rows = cells.map((cell) => {
    const direct = cells.find(
      ({ path, recordings }) => path === "direct" && recordings === cell.recordings,
    );
    const three = ({ p50, p95, p99 }: Percentiles) =>
      [p50, p95, p99].map((ms) => ms.toFixed(2)).join(" / ");
    const added =
      direct && cell.path !== "direct"
        ? three({
            p50: cell.typical.p50 - direct.typical.p50,
            p95: cell.typical.p95 - direct.typical.p95,
            p99: cell.typical.p99 - direct.typical.p99,
          })
        : "";
    return [
      cell.recordings,
      cell.path,
      cell.path === "direct" ? "" : cell.encoding,
      three(cell.all),
      three(cell.typical),
      added,
      cell.cpuSeconds?.toFixed(3) ?? "",
      cell.memoryMiB?.toFixed(2) ?? "",
      cell.lost,
    ].join(" | ");
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${workerdVersion()}, ` +
      `${availableParallelism()} cores, ${measureMs / 1000} s a row, chunks of 256 ms at ${captureSampleRate} Hz, ` +
      `load average ${loadavg()[0]?.toFixed(1)} at the end`,
    "",
    "| recordings | path | audio | all: p50 / p95 / p99 ms | typical second | added to direct, typical second | CPU-s per recorded minute | MiB per recording | unanswered |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

function workerdVersion(): string {
  return JSON.parse(readFileSync("node_modules/workerd/package.json", "utf8")).version;
}

console.log(report(await run()));
