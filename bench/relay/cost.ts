import { availableParallelism, loadavg } from "node:os";
import type { Percentiles } from "#bench/percentiles.ts";
import {
  type BenchProcess,
  nextMessage,
  readCpuSeconds,
  readResidentMiB,
  readWorkerdVersion,
  request,
  startProcess,
} from "#bench/processes.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { LedgerPlan, LedgerReady } from "./ledger.ts";
import type { LoadAudio, LoadPlan, LoadProgress } from "./load.ts";
import type { MinimalRoomPlan } from "./minimal-room.ts";
import type { RoomReady } from "./room.ts";
import type { LedgerAnswer, LedgerQuestion, Recording, StackPlan, StackReady } from "./stack.ts";

/** Numbers of simultaneous recordings, and durations in ms. */
export interface CostPlan {
  counts: readonly number[];
  audios: readonly LoadAudio[];
  measureMs: number;
  /** Time over which recordings start. */
  openOverMs: number;
  /** The same for recordings through the room. */
  openRoomsOverMs: number;
}

const warmUpMs = 1_000;

interface Cell {
  path:
    | "direct"
    | "Node relay"
    | "minimal room"
    | "metered minimal room"
    | "room"
    | "translating room";
  audio: LoadAudio | "provider";
  recordings: number;
  all: Percentiles;
  typical: Percentiles;
  lost: number;
  /** CPU seconds of the relay's process per recorded minute. */
  cpuSeconds: number | null;
  /** Growth of the relay's resident memory per recording, MiB. */
  memoryMiB: number | null;
  /** Sent by the browser per recording and hour. */
  megabytesPerHour: number;
  /** Of each recording's latest write to the ledger: the largest number in half a second. */
  writesAtOnce: number | null;
  /** Sentences that have their translation. */
  translatedSentences: number;
  /** Of each connection without a word, an acknowledgement or a translation that it should have. */
  faults: readonly string[];
}

interface Relay {
  /** The process whose CPU time and memory are measured, or null. */
  pid: number | null;
  targets: LoadPlan["targets"];
}

async function measureCell(
  { measureMs, openOverMs, openRoomsOverMs }: CostPlan,
  place: Pick<Cell, "path" | "audio" | "recordings">,
  relay: Relay,
): Promise<Cell> {
  const before = relay.pid === null ? 0 : readResidentMiB(relay.pid);
  const spread = place.path.endsWith("room") ? openRoomsOverMs : openOverMs;
  const load: LoadPlan = {
    targets: relay.targets,
    audio: place.audio,
    acknowledges: place.path === "room" || place.path === "translating room",
    translates: place.path === "translating room",
    openOverMs: place.recordings === 1 ? 0 : spread,
    warmUpMs,
    measureMs,
  };
  const generator = await startProcess<LoadProgress>("relay/load.ts", load);
  await nextMessage<LoadProgress>(generator.process, "load");
  const cpuBefore = relay.pid === null ? 0 : readCpuSeconds(relay.pid);
  const began = performance.now();
  const progress = await nextMessage<LoadProgress>(generator.process, "load");
  if (progress.at !== "measured") throw new Error(`the load generator is at ${progress.at}`);
  const minutes = (place.recordings * (performance.now() - began)) / 60_000;
  const cpu = relay.pid === null ? null : (readCpuSeconds(relay.pid) - cpuBefore) / minutes;
  const memory =
    relay.pid === null ? null : (readResidentMiB(relay.pid) - before) / place.recordings;
  const check = await nextMessage<LoadProgress>(generator.process, "load");
  if (check.at !== "checked") throw new Error(`the load generator is at ${check.at}`);
  await generator.stop();
  const { faults, translatedSentences } = check;
  const { all, typical, sent, answered, bytesPerHour } = progress;
  return {
    ...place,
    all,
    typical,
    lost: sent - answered,
    writesAtOnce: null,
    cpuSeconds: cpu,
    memoryMiB: memory,
    megabytesPerHour: bytesPerHour / 1e6,
    translatedSentences,
    faults,
  };
}

/**
 * Measures the latency that the relay adds between a chunk and its tokens, and its CPU and memory. The same
 * load goes directly to the speech stand-in (as an echo), through a plain Node relay, through a minimal room
 * in workerd (binary PCM only) without and with the ledger, and through the RecordingRoom of the built worker in workerd,
 * with signed-in users and the usage ledger of the embedded database. With Opus it goes through that room once more, while
 * the stand-in translates in its stream.
 *
 * @returns the report, and what is missing of words, acknowledgements and translations
 */
export async function measureCost(
  buildDir: string,
  plan: CostPlan,
): Promise<{ report: string; faults: string[] }> {
  const provider = await startProcess<{ url: string }>("relay/provider.ts", { echo: true });
  const providerUrl = provider.ready.url;
  // New accounts for each measurement: none must use up the allowance of the next one.
  const metered = plan.audios.reduce((sum, audio) => sum + (audio === "base64" ? 1 : 2), 0);
  const measured = metered * plan.counts.reduce((sum, count) => sum + count, 0);
  const stackPlan: StackPlan = { providerUrl, recordings: measured, onServer: false };
  const stack = await startProcess<StackReady>("relay/stack.ts", stackPlan);
  const { recordings, vars, url: stackUrl } = stack.ready;
  const cells: Cell[] = [];
  const addCell = (cell: Cell) => {
    cells.push(cell);
    console.error(
      `${cell.recordings} × ${cell.path}, ${cell.audio}: ${cell.typical.p95.toFixed(2)} ms`,
    );
  };
  for (const count of plan.counts) {
    const direct = { url: providerUrl, headers: { authorization: "Bearer bench" } };
    const targets = Array.from({ length: count }, () => direct);
    const provided = { path: "direct", audio: "provider", recordings: count } as const;
    addCell(await measureCell(plan, provided, { pid: null, targets }));
    for (const audio of plan.audios) {
      const place = { audio, recordings: count };
      // A new process for each measurement: memory of an earlier one would hide the growth.
      const node = await startProcess<{ url: string }>("relay/node.ts", { providerUrl });
      const nodeTargets = targets.map(() => ({ url: node.ready.url, headers: {} }));
      const nodeRelay: Relay = { pid: node.pid, targets: nodeTargets };
      addCell(await measureCell(plan, { path: "Node relay", ...place }, nodeRelay));
      await node.stop();
      if (audio === "binary") {
        const accounts = recordings.splice(0, count);
        const measureMinimal = async (path: Cell["path"], minimalPlan: MinimalRoomPlan) => {
          const minimal = await startProcess<RoomReady>("relay/minimal-room.ts", minimalPlan);
          const relay = toRoomRelay(minimal.ready, accounts);
          const cell = await measureCell(plan, { path, ...place }, relay);
          await minimal.stop();
          return cell;
        };
        addCell(await measureMinimal("minimal room", { providerUrl }));
        const ledgerPlan: LedgerPlan = { stackUrl, recordings: accounts };
        const ledger = await startProcess<LedgerReady>("relay/ledger.ts", ledgerPlan);
        const ledgerUrl = ledger.ready.url;
        const cell = await measureMinimal("metered minimal room", { providerUrl, ledgerUrl });
        await ledger.stop();
        const writesAtOnce = await countWritesAtOnce(stack, accounts);
        const faults = writesAtOnce > 0 ? [] : ["nothing was written to the ledger"];
        addCell({ ...cell, writesAtOnce, faults: [...cell.faults, ...faults] });
      }
      const rooms: Cell["path"][] = audio === "opus" ? ["room", "translating room"] : ["room"];
      for (const path of rooms) {
        const accounts = recordings.splice(0, count);
        const room = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
        const relay = toRoomRelay(room.ready, accounts);
        const cell = await measureCell(plan, { path, ...place }, relay);
        addCell({ ...cell, writesAtOnce: await countWritesAtOnce(stack, accounts) });
        await room.stop();
      }
    }
  }
  await stack.stop();
  await provider.stop();
  const faults = cells.flatMap(({ recordings: count, path, audio, faults: ofCell }) =>
    ofCell.map((fault) => `${count} × ${path}, ${audio}: ${fault}`),
  );
  return { report: formatReport(plan, cells), faults };
}

async function countWritesAtOnce(
  stack: BenchProcess<StackReady>,
  recordings: readonly Recording[],
): Promise<number> {
  const question: LedgerQuestion = { lectureIds: recordings.map(({ lectureId }) => lectureId) };
  const { writtenAt } = await request<LedgerAnswer>(stack, question);
  return Math.max(
    ...writtenAt.map((from) => writtenAt.filter((at) => at >= from && at < from + 500).length),
  );
}

function toRoomRelay({ url, workerdPid }: RoomReady, recordings: readonly Recording[]): Relay {
  return {
    pid: workerdPid,
    targets: recordings.map(({ lectureId, cookie }) => ({
      url: `${url.replace(/^http/, "ws")}/api/recordings/${lectureId}`,
      headers: { cookie, origin: url },
    })),
  };
}

function formatReport({ measureMs }: CostPlan, cells: readonly Cell[]): string {
  const rows = cells.map((cell) => {
    const direct = cells.find(
      ({ path, recordings }) => path === "direct" && recordings === cell.recordings,
    );
    const formatThree = ({ p50, p95, p99 }: Percentiles) =>
      [p50, p95, p99].map((ms) => ms.toFixed(2)).join(" / ");
    const added =
      direct && cell.path !== "direct"
        ? formatThree({
            p50: cell.typical.p50 - direct.typical.p50,
            p95: cell.typical.p95 - direct.typical.p95,
            p99: cell.typical.p99 - direct.typical.p99,
          })
        : "";
    return [
      cell.recordings,
      cell.path,
      cell.path === "direct" ? "" : cell.audio,
      formatThree(cell.all),
      formatThree(cell.typical),
      added,
      cell.cpuSeconds?.toFixed(3) ?? "",
      cell.memoryMiB?.toFixed(2) ?? "",
      cell.megabytesPerHour.toFixed(1),
      cell.writesAtOnce ?? "",
      cell.path === "translating room" ? cell.translatedSentences : "",
      cell.lost,
    ].join(" | ");
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${readWorkerdVersion()}, ` +
      `${availableParallelism()} cores, ${measureMs / 1000} s a row, chunks of 256 ms (Opus: 260 ms) at ${captureSampleRate} Hz, ` +
      `load average ${loadavg()[0]?.toFixed(1)} at the end`,
    "",
    "| recordings | path | audio | all: p50 / p95 / p99 ms | typical second | added to direct, typical second | CPU-s per recorded minute | MiB per recording | MB sent per hour | ledger writes in half a second, at most | sentences translated | unanswered |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}
