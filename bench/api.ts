import { availableParallelism, loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { type AttackPlan, formatAttack, measureAttack } from "./api/attack.ts";
import { type ApiCall, listCalls, send } from "./api/calls.ts";
import type { ApiStackPlan, ApiStackReady, ApiUser, RoundTrips } from "./api/stack.ts";
import { prepareBuild } from "./build.ts";
import { toPercentiles } from "./percentiles.ts";
import {
  readChildrenCpuSeconds,
  readCpuSeconds,
  readWorkerdVersion,
  request,
  startProcess,
} from "./processes.ts";
import type { RoomReady } from "./relay/room.ts";

/**
 * `npm run bench:api`: how long the library's procedures take at 1, 50 and 200 users at once, who each have a library of
 * their own, how often each waits for the database, and what it costs the worker and the database. The built worker runs in
 * workerd, the database is a PostgreSQL of its own behind Neon's protocol. Worker, database and users are processes of one
 * machine.
 *
 * Each user calls at a steady pace, whether the call before was answered or not, and a call's time begins when it was due.
 * Fails after its tables if a call was refused or failed.
 *
 * `--attack` measures instead how long others wait beside accounts whose glossaries are made to take long, and fails if
 * their p99 is more than twice that without the attack, in the same run.
 *
 * `--pglite` uses PGlite. `--quick` has 40 users with small libraries. `--smoke` takes seconds; the figures are meaningless.
 */
const isSmoke = process.argv.includes("--smoke");
const isQuick = process.argv.includes("--quick");
const library = isSmoke ? { lectures: 3, rows: 20 } : { lectures: isQuick ? 5 : 20, rows: 150 };

const isAttack = process.argv.includes("--attack");
// Many short turns: what else the machine does falls on both kinds.
const attackPlan: AttackPlan = isSmoke
  ? { rounds: 1, intervalMs: 500 }
  : { rounds: isQuick ? 12 : 30, intervalMs: 2_000 };
const attackUsers = isSmoke ? 3 : 8;

interface Level {
  users: number;
  /** Between two calls of a user, ms. An account may call five times a second. */
  intervalMs: number;
  seconds: number;
}
const levels: readonly Level[] = isSmoke
  ? [
      { users: 1, intervalMs: 250, seconds: 3 },
      { users: 3, intervalMs: 500, seconds: 3 },
    ]
  : isQuick
    ? [
        { users: 1, intervalMs: 250, seconds: 20 },
        { users: 40, intervalMs: 4_000, seconds: 40 },
      ]
    : [
        { users: 1, intervalMs: 250, seconds: 180 },
        { users: 50, intervalMs: 4_000, seconds: 120 },
        { users: 200, intervalMs: 4_000, seconds: 60 },
      ];

const { buildDir, close } = await prepareBuild();
const stack = await startProcess<ApiStackReady>("api/stack.ts", {
  ...library,
  users: isAttack ? attackUsers : Math.max(...levels.map(({ users }) => users)),
  hostile: isAttack || isSmoke ? attackPlan.rounds : 0,
  isPglite: isSmoke || process.argv.includes("--pglite"),
} satisfies ApiStackPlan);
const { vars, users, hostile, database } = stack.ready;
const edge = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
const { url } = edge.ready;
/** The row of all calls together. */
const all = "all";
const zero: Cost = { roundTrips: 0, worker: 0, database: 0 };
const faults: string[] = [];
try {
  if (!isAttack) console.log(await measureAll());
  if (isAttack || isSmoke) {
    const result = await measureAttack(url, users, hostile, attackPlan, () => {
      // Connections of the database end meanwhile, and their processes are no longer counted.
      const { database: _, ...others } = readCpu();
      return others;
    });
    const { text, failures } = formatAttack(result, isSmoke);
    console.log(`\n${describeRun()}\n\n${text}`);
    faults.push(...failures);
  }
} finally {
  await edge.stop();
  await stack.stop();
  await close();
}
if (faults.length > 0)
  throw new Error(`${faults.length} failures: ${faults.slice(0, 5).join(", ")}`);

interface Cost {
  roundTrips: number;
  /** CPU of one call, ms. */
  worker: number;
  database: number;
}

/** CPU seconds until now. */
function readCpu() {
  const { user, system } = process.cpuUsage();
  return {
    worker: readCpuSeconds(edge.ready.workerdPid),
    database: readChildrenCpuSeconds(stack.pid),
    // Neon's protocol, and the model.
    "stand-ins": readCpuSeconds(stack.pid),
    users: (user + system) / 1e6,
  };
}

function describeRun(): string {
  return (
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${readWorkerdVersion()}, ${database}, ` +
    `${availableParallelism()} cores, ${library.lectures} lectures of ${library.rows} rows a user, ` +
    `load average ${loadavg()[0]?.toFixed(1)} at the end`
  );
}

async function measureAll(): Promise<string> {
  const [first] = users;
  if (!first) throw new Error("no user");
  const turns = new Map(users.map((user) => [user, 0]));
  console.error("one call after the other");
  const costs = await measureCosts(turns);
  const results: LevelResult[] = [];
  for (const level of levels) {
    console.error(`${level.users} users for ${level.seconds} s`);
    const result = await measureLevel(level, turns);
    if (!result.times.has(all)) faults.push(`${level.users} users: no call was answered`);
    results.push(result);
  }
  const formatCell = (times: readonly number[] = []) => {
    if (times.length === 0) return "– | 0";
    const { p50, p95, p99 } = toPercentiles(times);
    return `${[p50, p95, p99].map((ms) => ms.toFixed(1)).join(" / ")} | ${times.length}`;
  };
  const names = listCalls(first, 0).map(({ name }) => name);
  const heads = levels.map(({ users: count }) => `${count} users: p50 / p95 / p99 ms | calls`);
  const formatCost = ({ roundTrips, worker, database: ms }: Cost = zero) =>
    `${roundTrips.toFixed(1).replace(/\.0$/, "")} | ${worker.toFixed(1)} / ${ms.toFixed(1)}`;
  return [
    describeRun(),
    [
      `| call | round trips to the database | CPU ms of the worker / database | ${heads.join(" | ")} |`,
      `| --- | --- | --- |${" --- | --- |".repeat(levels.length)}`,
      ...[...names, all].map(
        (name) =>
          `| ${name} | ${formatCost(costs.get(name))} | ${results.map(({ times }) => formatCell(times.get(name))).join(" | ")} |`,
      ),
    ].join("\n"),
    [
      "| users | calls a second | cores: worker | database | stand-ins | users |",
      "| --- | --- | --- | --- | --- | --- |",
      ...results.map(
        ({ level, cores }) =>
          `| ${level.users} | ${(level.users * 1_000) / level.intervalMs} | ${cores.map((one) => one.toFixed(2)).join(" | ")} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

/** Each call alone, by some users, after a turn that does the rare work, such as indexing for the search. */
async function measureCosts(turns: Map<ApiUser, number>): Promise<Map<string, Cost>> {
  const count = async () => (await request<RoundTrips>(stack, "count")).roundTrips;
  const callers = users.slice(0, 40);
  const costs = new Map<string, Cost>();
  for (let n = 0; n < 2; n += 1) {
    const lists = callers.map((user) => listCalls(user, turns.get(user) ?? 0));
    for (const [index, { name }] of (lists[0] ?? []).entries()) {
      const [before, cpu] = [await count(), readCpu()];
      for (const [at, user] of callers.entries()) {
        const call = lists[at]?.[index];
        if (call)
          await send(url, user, call).catch(
            (error) => void faults.push(`one after the other: ${error.message}`),
          );
        // An account may call five times a second.
        await wait(200 / callers.length);
      }
      const after = readCpu();
      const toMs = (what: "worker" | "database") =>
        ((after[what] - cpu[what]) * 1_000) / callers.length;
      costs.set(name, {
        roundTrips: ((await count()) - before) / callers.length,
        worker: toMs("worker"),
        database: toMs("database"),
      });
    }
    for (const user of callers) turns.set(user, (turns.get(user) ?? 0) + 1);
  }
  const sum = (what: keyof Cost) =>
    [...costs.values()].reduce((total, cost) => total + cost[what] / costs.size, 0);
  return costs.set(all, {
    roundTrips: sum("roundTrips"),
    worker: sum("worker"),
    database: sum("database"),
  });
}

interface LevelResult {
  level: Level;
  /** Of answered calls by name, and of all of them; ms. */
  times: Map<string, number[]>;
  /** In use, by the names of `readCpu`. */
  cores: number[];
}

async function measureLevel(level: Level, turns: Map<ApiUser, number>): Promise<LevelResult> {
  const times = new Map<string, number[]>();
  const add = (name: string, ms: number) =>
    times
      .set(name, times.get(name) ?? [])
      .get(name)
      ?.push(ms);
  const [began, cpu] = [performance.now(), readCpu()];
  const end = began + level.seconds * 1_000;
  await Promise.all(
    users.slice(0, level.users).map(async (user, index) => {
      const calls = listUserCalls(user, turns);
      let due = performance.now() + (level.intervalMs * index) / level.users;
      const running: Promise<void>[] = [];
      for (; due < end; due += level.intervalMs) {
        await wait(Math.max(0, due - performance.now()));
        const { value: call } = calls.next();
        if (!call) break;
        const from = due;
        running.push(
          send(url, user, call).then(
            () => {
              for (const name of [call.name, all]) add(name, performance.now() - from);
            },
            (error) => void faults.push(`${level.users} users: ${error.message}`),
          ),
        );
      }
      await Promise.all(running);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const after = readCpu();
  const cores = Object.entries(after).map(
    ([name, value]) => (value - cpu[name as keyof typeof cpu]) / seconds,
  );
  return { level, times, cores };
}

/** The user's calls without end, turn after turn. */
function* listUserCalls(user: ApiUser, turns: Map<ApiUser, number>): Generator<ApiCall, void> {
  // Users are at different places, so that not all search at once.
  const offset = users.indexOf(user);
  for (;;) {
    const turn = turns.get(user) ?? 0;
    const calls = listCalls(user, turn);
    for (let n = 0; n < calls.length; n += 1) {
      const call = calls[(n + offset) % calls.length];
      if (call) yield call;
    }
    turns.set(user, turn + 1);
  }
}
