import { availableParallelism, loadavg } from "node:os";
import type { Percentiles } from "#bench/percentiles.ts";
import {
  nextMessage,
  readCpuSeconds,
  readResidentMiB,
  readWorkerdVersion,
  startProcess,
} from "#bench/processes.ts";
import type { RoomReady } from "#bench/relay/room.ts";
import type { StackPlan, StackReady } from "#bench/relay/stack.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { ClassLoad, ClassProgress } from "./load.ts";

/** Numbers of readers, and durations in ms. */
export interface ClassPlan {
  counts: readonly number[];
  openOverMs: number;
  warmUpMs: number;
  measureMs: number;
  wordsPerRow: number;
}

const languages: TargetLanguage[] = ["none", "fr", "de", "ja"];

type Path = "Node fan-out" | "share" | "not shared";
type Cell = { path: Path; readers: number; cpu: number; memoryMiB: number } & Omit<
  Extract<ClassProgress, { at: "measured" }>,
  "at"
>;

/**
 * Measures one recording with many readers: through the RecordingRoom and the ShareRoom of the built worker in workerd,
 * with rows that are saved and translated meanwhile; and through a plain Node fan-out, which has words alone.
 *
 * @returns the report, and what is missing of words, acknowledgements and translations
 */
export async function measureClass(
  buildDir: string,
  plan: ClassPlan,
): Promise<{ report: string; faults: string[] }> {
  const provider = await startProcess<{ url: string }>("relay/provider.ts", { echo: true });
  const providerUrl = provider.ready.url;
  const recordings = 2 * plan.counts.length;
  const stackPlan: StackPlan = { providerUrl, recordings, onServer: false, areShared: true };
  const stack = await startProcess<StackReady>("relay/stack.ts", stackPlan);
  const { vars } = stack.ready;
  const cells: Cell[] = [];
  const load = { languages, ...plan };

  for (const readers of plan.counts) {
    const node = await startProcess<{ url: string }>("class/node.ts", { providerUrl });
    cells.push(
      await measureCell("Node fan-out", node.pid, {
        ...load,
        recorder: { url: node.ready.url, headers: {} },
        save: null,
        readerUrl: `${node.ready.url}/reader?`,
        readers,
      }),
    );
    await node.stop();
    for (const path of ["not shared", "share"] as const) {
      const recording = stack.ready.recordings.pop();
      if (!recording) throw new Error("too few recordings");
      const { lectureId, cookie, code } = recording;
      const edge = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
      const { url, workerdPid } = edge.ready;
      const headers = { cookie, origin: url };
      const wsUrl = url.replace(/^http/, "ws");
      cells.push(
        await measureCell(path, workerdPid, {
          ...load,
          recorder: { url: `${wsUrl}/api/recordings/${lectureId}`, headers },
          save: { url, lectureId, headers },
          readerUrl: path === "share" ? `${wsUrl}/api/shares?code=${code}&probes=1` : null,
          readers,
        }),
      );
      await edge.stop();
    }
  }
  await stack.stop();
  await provider.stop();
  return { report: formatReport(plan, cells), faults: cells.flatMap(findFaults) };
}

function findFaults({ path, readers, missing, missingTranslations, fault }: Cell): string[] {
  return [
    ...(fault === null ? [] : [`recorder: ${fault}`]),
    ...(missing === 0 ? [] : [`${missing} words did not reach a reader`]),
    ...(missingTranslations === 0
      ? []
      : [`${missingTranslations} translations did not reach a reader`]),
  ].map((one) => `${readers} × ${path}: ${one}`);
}

async function measureCell(path: Path, pid: number, load: ClassLoad): Promise<Cell> {
  const before = readResidentMiB(pid);
  const generator = await startProcess<ClassProgress>("class/load.ts", load);
  await nextMessage<ClassProgress>(generator.process, "load");
  const cpuBefore = readCpuSeconds(pid);
  const began = performance.now();
  await nextMessage<ClassProgress>(generator.process, "load");
  const minutes = (performance.now() - began) / 60_000;
  const cpu = (readCpuSeconds(pid) - cpuBefore) / minutes;
  const memoryMiB = readResidentMiB(pid) - before;
  const progress = await nextMessage<ClassProgress>(generator.process, "load");
  if (progress.at !== "measured") throw new Error(`the load generator is at ${progress.at}`);
  await generator.stop();
  const { at: _, ...measured } = progress;
  console.error(
    `${load.readers} × ${path}: ${measured.reader?.p95?.toFixed(2) ?? "–"} ms, recorder ${measured.recorder.p50?.toFixed(2)} ms`,
  );
  return { path, readers: load.readers, cpu, memoryMiB, ...measured };
}

function formatReport({ measureMs }: ClassPlan, cells: readonly Cell[]): string {
  const formatThree = ({ p50, p95, p99 }: Percentiles) =>
    [p50, p95, p99].map((ms) => ms.toFixed(2)).join(" / ");
  const rows = cells.map((cell) => {
    const isRead = cell.reader !== null;
    return [
      cell.readers,
      cell.path,
      cell.reader ? formatThree(cell.reader) : "",
      formatThree(cell.recorder),
      cell.cpu.toFixed(2),
      isRead ? ((cell.cpu * 1_000) / cell.readers).toFixed(1) : "",
      isRead ? ((cell.memoryMiB * 1_024) / cell.readers).toFixed(0) : "",
      isRead ? (cell.frames / cell.readers / (measureMs / 1_000)).toFixed(1) : "",
      isRead ? cell.translations : "",
      isRead ? cell.missing : "",
    ].join(" | ");
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${readWorkerdVersion()}, ` +
      `${availableParallelism()} cores, ${measureMs / 1_000} s a row, readers in ${languages.length} languages, ` +
      `load average ${loadavg()[0]?.toFixed(1)} at the end`,
    "",
    "| readers | path | word at the recorder to reader: p50 / p95 / p99 ms | chunk to word at the recorder: p50 / p95 / p99 ms | CPU-s a minute | CPU-ms a minute and reader | KiB a reader | frames a second and reader | translations received | missing words |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}
