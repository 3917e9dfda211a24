import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { readResidentMiB, request, startProcess } from "#bench/processes.ts";
import type { RoomReady } from "#bench/relay/room.ts";
import type { Recording, StackPlan, StackReady } from "#bench/relay/stack.ts";
import type { ShareServerMessage } from "#shared/share.ts";
import { applyShareMessage, type ShareView } from "#shared/share-view.ts";
import { shareUnreadCode } from "#shared/site.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import type { IdleReaderReport, IdleReaders } from "./idle-readers.ts";

export interface UnreadPlan {
  /** Measure the same without further readers, and with as many that read. */
  hasBaselines: boolean;
  readers: number;
  /** Characters of the shared lecture, and of what is said while the readers are there. */
  textLength: number;
  saidLength: number;
  /** Workerd's memory may grow by so much more than without them. */
  maxMiB: number;
}

const rowLength = 2_000;
const rowsPerCall = 100;
const idle = "that never read";
const attentive = "that read";
type Kind = typeof idle | typeof attentive;

interface Growth {
  kind: Kind | "nobody else";
  baseMiB: number;
  mostMiB: number;
  /** What the idle readers could still read; null for others. */
  leftKiB: number | null;
}

/**
 * Measures how much memory workerd needs for readers of a long lecture that never read, beside as many that read, while the
 * lecture goes on. A further reader must get everything, and each idle one must be closed.
 *
 * @throws when workerd grows by more than the plan allows.
 */
export async function measureUnread(buildDir: string, plan: UnreadPlan): Promise<string> {
  const provider = await startProcess<{ url: string }>("relay/provider.ts", { echo: true });
  const kinds = plan.hasBaselines ? (["nobody else", attentive, idle] as const) : ([idle] as const);
  const stackPlan: StackPlan = {
    providerUrl: provider.ready.url,
    recordings: kinds.length,
    onServer: false,
    areShared: true,
  };
  const stack = await startProcess<StackReady>("relay/stack.ts", stackPlan);
  const growths: Growth[] = [];
  for (const [index, kind] of kinds.entries()) {
    const recording = stack.ready.recordings[index];
    if (!recording) throw new Error("too few recordings");
    const { vars } = stack.ready;
    const edge = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
    growths.push(await measureGrowth(edge.ready, recording, kind, plan));
    await edge.stop();
  }
  await stack.stop();
  await provider.stop();
  const report = formatReport(plan, growths);
  const getGrowth = (kind: Growth["kind"]) => {
    const found = growths.find((one) => one.kind === kind);
    return found ? found.mostMiB - found.baseMiB : 0;
  };
  if (getGrowth(idle) - getGrowth("nobody else") > plan.maxMiB)
    throw new Error(`Readers that never read cost more than ${plan.maxMiB} MiB:\n${report}`);
  return report;
}

async function measureGrowth(
  { url, workerdPid }: RoomReady,
  { lectureId, cookie, code }: Recording,
  kind: Growth["kind"],
  { readers, textLength, saidLength }: UnreadPlan,
): Promise<Growth> {
  let rows = 0;
  const say = async (length: number) => {
    for (const end = rows + Math.ceil(length / rowLength); rows < end; ) {
      const count = Math.min(rowsPerCall, end - rows);
      const entries = Array.from({ length: count }, (_, index) => createRow(rows + index));
      const response = await fetch(`${url}/trpc/lectures.saveRows`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie, origin: url },
        body: JSON.stringify({ lectureId, entries, deleted: [] }),
      });
      if (!response.ok) throw new Error(`rows were refused: ${await response.text()}`);
      rows += count;
    }
  };
  const path = `/api/shares?code=${code}&language=none`;
  await say(textLength);
  const witness = await openReader(url, `${path}&probes=1`);
  await witness.waitFor(rows);
  await say(rowLength);
  await witness.waitFor(rows);
  const baseMiB = readResidentMiB(workerdPid);
  let mostMiB = baseMiB;
  const watch = setInterval(() => {
    mostMiB = Math.max(mostMiB, readResidentMiB(workerdPid));
  }, 100);
  const others = kind === attentive ? await openReaders(readers, url, `${path}&probes=1`) : [];
  for (const other of others) await other.waitFor(rows);
  const { hostname: host, port } = new URL(url);
  const input: IdleReaders = {
    host,
    port: Number(port),
    // Half of them are pages of the version before, which do not say what they have read.
    paths: Array.from({ length: readers }, (_, n) => `${path}${n % 2 ? "" : "&probes=1"}`),
  };
  const idleOnes =
    kind === idle ? await startProcess<object>("class/idle-readers.ts", input) : null;
  for (const end = rows + Math.ceil(saidLength / rowLength); rows < end; ) {
    await say(10 * rowLength);
    await witness.waitFor(rows);
  }
  for (const other of others) await other.waitFor(rows);
  await sleep(500);
  clearInterval(watch);
  let leftKiB: number | null = null;
  if (idleOnes) {
    const { reports } = await request<{ reports: IdleReaderReport[] }>(idleOnes, "read");
    const open = reports.filter(({ closeCode }) => closeCode !== shareUnreadCode);
    if (open.length > 0)
      throw new Error(`${open.length} readers were not closed: ${JSON.stringify(open[0])}`);
    leftKiB = Math.max(...reports.map(({ bytes }) => bytes)) / 1_024;
    await idleOnes.stop();
  }
  for (const one of [witness, ...others]) one.close();
  console.error(`${kind}: ${(mostMiB - baseMiB).toFixed(1)} MiB`);
  return { kind, baseMiB, mostMiB, leftKiB };
}

function createRow(ordinal: number) {
  const words = `Row ${ordinal} ${"of what somebody said in this lecture ".repeat(rowLength / 38)}`;
  const startMs = ordinal * 10_000;
  return createEntry(words.slice(0, rowLength), startMs, { ordinal, endMs: startMs + 9_000 });
}

const openReaders = (count: number, url: string, path: string) =>
  Promise.all(Array.from({ length: count }, () => openReader(url, path)));

/** A reader that reads. It fails when it is closed, or misses something. */
async function openReader(url: string, path: string) {
  const socket = new WebSocket(url.replace(/^http/, "ws") + path, {
    origin: url,
    perMessageDeflate: false,
  });
  let view: ShareView | null = null;
  let isLeaving = false;
  let notify = () => {};
  socket.on("message", (data) => {
    const message: ShareServerMessage = JSON.parse(String(data));
    if (message.type === "probe") socket.send(String(data));
    else view = applyShareMessage(view, message);
    notify();
  });
  socket.on("close", (code) => {
    if (!isLeaving) throw new Error(`a reader was closed with ${code}`);
  });
  await once(socket, "open");
  const hasRows = (count: number) => view?.rows.size === count && view.pagesLeft === 0;
  return {
    async waitFor(count: number): Promise<void> {
      while (!hasRows(count))
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
    },
    close() {
      isLeaving = true;
      socket.terminate();
    },
  };
}

function formatReport(plan: UnreadPlan, growths: readonly Growth[]): string {
  const million = (length: number) => (length / 1_000_000).toFixed(1);
  return [
    `${plan.readers} readers of a lecture of ${million(plan.textLength)} million characters, ` +
      `during ${million(plan.saidLength)} million more`,
    "",
    "| readers beside one that reads | workerd's memory before, MiB | at most | more, MiB | left to read for one of them at most, KiB |",
    "| --- | --- | --- | --- | --- |",
    ...growths.map(({ kind, baseMiB, mostMiB, leftKiB }) => {
      const name = kind === "nobody else" ? kind : `${plan.readers} ${kind}`;
      const figures = [baseMiB, mostMiB, mostMiB - baseMiB].map((one) => one.toFixed(0));
      return `| ${[name, ...figures, leftKiB?.toFixed(0) ?? ""].join(" | ")} |`;
    }),
  ].join("\n");
}
