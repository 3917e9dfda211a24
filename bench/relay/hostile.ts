import { availableParallelism, cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  readCpuSeconds,
  readPeakMiB,
  readResidentMiB,
  readWorkerdVersion,
  request,
  startProcess,
} from "#bench/processes.ts";
import { guestTicketParam } from "#shared/site.ts";
import type { AttackCounts } from "./attack-counter.ts";
import type { HonestPlan, HonestReport, Latency, Target } from "./honest.ts";
import type { AccountsPlan } from "./hostile-accounts.ts";
import type { SocketsPlan } from "./hostile-sockets.ts";
import type { RoomReady } from "./room.ts";
import type { Recording, StackPlan, StackReady } from "./stack.ts";

export interface HostilePlan {
  /** Number of honest recordings. */
  recordings: number;
  aloneMs: number;
  attackedMs: number;
  afterMs: number;
}

const callers = 5;
/** Half of the sockets belong to accounts, one each; half to guests, two per network address. */
const socketAccounts = 10;
const guestAddresses = 5;
const guestSockets = 2;
const warmUpMs = 1_000;
/** Attackers and the processes that stand for other machines must not take CPU from what is measured. */
const isIdle = true;

interface Usage {
  phase: string;
  /** Cores in use, by process. */
  cores: (readonly [name: string, cores: number])[];
  /** Of workerd. */
  residentMiB: number;
  peakMiB: number;
}

/**
 * Measures how an attack by 20 sockets and 5 accounts affects honest recordings in the same workerd: latency
 * before, during and after the attack, complete words, and the answers to the attackers. Attackers have
 * fixed rates, and they and the database run only when the CPU is idle; otherwise the result would depend on
 * the number of cores.
 *
 * @returns the report, and what is missing
 */
export async function measureHostile(
  buildDir: string,
  plan: HostilePlan,
): Promise<{ report: string; faults: string[] }> {
  const provider = await startProcess<{ url: string }>("relay/provider.ts", { echo: false });
  const stackPlan: StackPlan = {
    providerUrl: provider.ready.url,
    recordings: plan.recordings + callers + socketAccounts,
    onServer: true,
  };
  const stack = await startProcess<StackReady>("relay/stack.ts", stackPlan, isIdle);
  const { vars, recordings, database } = stack.ready;
  const room = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
  const { url, workerdPid } = room.ready;
  const [honestOnes, hostileCallers, hostileSpeakers] = [
    recordings.splice(0, plan.recordings),
    recordings.splice(0, callers),
    recordings,
  ];
  const honestPlan: HonestPlan = {
    recordings: honestOnes.map((one, n) => toTarget(url, one, `198.18.${n}.1`)),
    direct: { url: provider.ready.url, headers: { authorization: "Bearer bench" } },
    spokenMs: plan.aloneMs + plan.attackedMs + plan.afterMs,
  };
  const honest = await startProcess<object>("relay/honest.ts", honestPlan);
  const accountsPlan: AccountsPlan = { url, accounts: hostileCallers };
  const socketsPlan: SocketsPlan = { targets: await createSocketTargets(url, hostileSpeakers) };
  const attackers = [
    await startProcess<object>("relay/hostile-sockets.ts", socketsPlan, isIdle),
    await startProcess<object>("relay/hostile-accounts.ts", accountsPlan, isIdle),
  ];
  const watched = {
    workerd: [workerdPid],
    "speech service": [provider.pid],
    "honest browsers": [honest.pid],
    attackers: attackers.map(({ pid }) => pid),
  };
  await sleep(warmUpMs);
  const usage: Usage[] = [];
  const measurePhase = async (phase: string, ms: number, start?: () => Promise<unknown>) => {
    console.error(`${phase}: ${ms / 1000} s`);
    await request(honest, { phase });
    const before = readCpuTimes(watched);
    await start?.();
    await sleep(ms);
    usage.push({
      phase,
      cores: Object.entries(readCpuTimes(watched)).map(
        ([name, seconds]) => [name, (seconds - (before[name] ?? 0)) / (ms / 1000)] as const,
      ),
      residentMiB: readResidentMiB(workerdPid),
      peakMiB: readPeakMiB(workerdPid),
    });
  };
  const sendToAttackers = (message: "begin" | "end") =>
    Promise.all(attackers.map((attacker) => request<AttackCounts>(attacker, message)));
  await measurePhase("alone", plan.aloneMs);
  await measurePhase("attacked", plan.attackedMs, () => sendToAttackers("begin"));
  const counts = await sendToAttackers("end");
  await measurePhase("after", plan.afterMs);
  const result = await request<HonestReport>(honest, { phase: null });
  for (const one of [...attackers, honest, room, stack, provider]) await one.stop();
  const report = [
    formatHeading(plan, database),
    ...formatLatencies(result),
    ...formatUsage(usage),
    ...formatAnswers(counts),
  ].join("\n");
  return { report, faults: findHostileFaults(result, counts) };
}

/** Honest recordings that lack words or answers, and attackers that have attacked nobody. */
export function findHostileFaults(
  { phases, recordings }: HonestReport,
  attackers: readonly AttackCounts[],
): string[] {
  const isAnswer = (outcome: string) => !["offered", "broken off"].includes(outcome);
  return [
    ...recordings.flatMap(({ isComplete, closedWith }, index) => [
      ...(isComplete ? [] : [`honest recording ${index}: words are missing or out of order`]),
      ...(closedWith === null ? [] : [`honest recording ${index}: closed with ${closedWith}`]),
    ]),
    ...Object.entries(phases).flatMap(([phase, ways]) =>
      Object.entries(ways).flatMap(([way, { chunks, unanswered }]) =>
        chunks > 0 && unanswered === 0
          ? []
          : [`${phase}, ${way}: ${unanswered} of ${chunks} chunks are unanswered`],
      ),
    ),
    ...attackers.flatMap((attacks, index) =>
      Object.values(attacks).some((outcomes) => Object.keys(outcomes).some(isAnswer))
        ? []
        : [`attacker ${index}: no attack was answered`],
    ),
  ];
}

function toTarget(url: string, { lectureId, cookie }: Recording, address: string): Target {
  return {
    url: `${url.replace(/^http/, "ws")}/api/recordings/${lectureId}`,
    headers: { cookie, origin: url, "cf-connecting-ip": address },
  };
}

/** Alternates accounts and guests, so that both make each kind of attack. */
async function createSocketTargets(url: string, accounts: readonly Recording[]): Promise<Target[]> {
  const guests = await Promise.all(
    Array.from({ length: guestAddresses * guestSockets }, async (_, n): Promise<Target> => {
      const headers = { "cf-connecting-ip": `203.0.${n % guestAddresses}.9`, origin: url };
      const answer = await fetch(`${url}/trpc/recording.guestTicket`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ previous: null }),
      });
      if (!answer.ok) throw new Error(`No ticket: ${await answer.text()}`);
      const { recordingId, ticket } = (await answer.json()).result.data;
      const path = `/api/recordings/${recordingId}?${guestTicketParam}=${ticket}`;
      return { url: url.replace(/^http/, "ws") + path, headers };
    }),
  );
  return accounts
    .flatMap((one, n) => [toTarget(url, one, `198.19.${n}.1`), guests[n] ?? []])
    .flat();
}

function readCpuTimes(watched: Record<string, number[]>): Record<string, number> {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0);
  const own = Object.entries(watched).map(([name, pids]) => [
    name,
    pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0),
  ]);
  return { ...Object.fromEntries(own), "the whole machine": busy / 1000 };
}

function formatHeading({ recordings, attackedMs }: HostilePlan, database: string): string {
  return (
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${readWorkerdVersion()}, ` +
    `${database}, ${availableParallelism()} cores, ${recordings} honest recordings, attacked for ` +
    `${attackedMs / 1000} s, load average ${loadavg()[0]?.toFixed(1)} at the end\n`
  );
}

function formatLatencies({ phases, recordings }: HonestReport): string[] {
  const row = (name: string, way: string, latency: Latency) => {
    const ms = [latency.p50, latency.p95, latency.p99, latency.max].map((one) => one.toFixed(1));
    return `| ${name} | ${way} | ${ms.join(" / ")} | ${latency.chunks} | ${latency.unanswered} |`;
  };
  const complete = recordings.filter(({ isComplete }) => isComplete).length;
  const closed = recordings.flatMap(({ closedWith }) => closedWith ?? []);
  const added = (way: "room" | "direct") =>
    ((phases.attacked?.[way].p95 ?? Number.NaN) - (phases.alone?.[way].p95 ?? Number.NaN)).toFixed(
      1,
    );
  return [
    "| honest recordings | way | p50 / p95 / p99 / longest ms | chunks | unanswered |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(phases).flatMap(([name, { room, direct }]) => [
      row(name, "room", room),
      row(name, "direct", direct),
    ]),
    "",
    `Added p95 under attack: ${added("room")} ms through the room, ${added("direct")} ms on the direct socket. ` +
      `Words complete and in order: ${complete} of ${recordings.length} recordings, ` +
      `${recordings[0]?.spoken} words each${closed.length > 0 ? `; closed with ${closed.join(", ")}` : ""}.`,
    "",
  ];
}

function formatUsage(usage: readonly Usage[]): string[] {
  const names = usage[0]?.cores.map(([name]) => name) ?? [];
  return [
    `| | ${names.map((name) => `cores: ${name}`).join(" | ")} | workerd's memory at the end, MiB | at most |`,
    `| --- |${" --- |".repeat(names.length + 2)}`,
    ...usage.map(
      ({ phase, cores, residentMiB, peakMiB }) =>
        `| ${phase} | ${cores.map(([, used]) => used.toFixed(2)).join(" | ")} | ${residentMiB.toFixed(0)} | ${peakMiB.toFixed(0)} |`,
    ),
    "",
  ];
}

function formatAnswers(attackers: readonly AttackCounts[]): string[] {
  return [
    "| attack | what came of it |",
    "| --- | --- |",
    ...attackers.flatMap((attacker) =>
      Object.entries(attacker).map(([name, counts]) => {
        const parts = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
        return `| ${name} | ${parts.join(", ")} |`;
      }),
    ),
  ];
}
