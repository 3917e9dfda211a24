import { availableParallelism, loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { type ApiCall, listCalls, send } from "./api/calls.ts";
import type { ApiStackPlan, ApiStackReady, ApiUser, RoundTrips } from "./api/stack.ts";
import { prepareBuild } from "./build.ts";
import { toPercentiles } from "./percentiles.ts";
import { readWorkerdVersion, request, startProcess } from "./processes.ts";
import type { RoomReady } from "./relay/room.ts";

/**
 * `npm run bench:api`: how long the library's procedures take at 1, 50 and 200 users at once, who each have a library of
 * their own, and how often each waits for the database. The built worker runs in workerd, the database is a PostgreSQL of
 * its own behind Neon's protocol. Worker, database and users are processes of one machine.
 *
 * Each user calls at a steady pace, whether the call before was answered or not, and a call's time begins when it was due.
 *
 * `--pglite` uses PGlite. `--smoke` takes seconds; the figures are meaningless.
 */
const isSmoke = process.argv.includes("--smoke");
const library = isSmoke ? { lectures: 3, rows: 20 } : { lectures: 20, rows: 150 };

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
  : [
      { users: 1, intervalMs: 250, seconds: 180 },
      { users: 50, intervalMs: 2_000, seconds: 90 },
      { users: 200, intervalMs: 2_000, seconds: 60 },
    ];

const { buildDir, close } = await prepareBuild();
const stack = await startProcess<ApiStackReady>("api/stack.ts", {
  ...library,
  users: Math.max(...levels.map(({ users }) => users)),
  isPglite: isSmoke || process.argv.includes("--pglite"),
} satisfies ApiStackPlan);
const { vars, users, database } = stack.ready;
const edge = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
const { url } = edge.ready;
try {
  console.log(await measureAll());
} finally {
  await edge.stop();
  await stack.stop();
  await close();
}

async function measureAll(): Promise<string> {
  const [first] = users;
  if (!first) throw new Error("no user");
  const turns = new Map(users.map((user) => [user, 0]));
  const trips = await countRoundTrips(first, turns);
  const results: Map<string, number[]>[] = [];
  for (const level of levels) {
    console.error(`${level.users} users for ${level.seconds} s`);
    results.push(await measureLevel(level, turns));
  }
  const formatCell = (times: readonly number[] = []) => {
    if (times.length === 0) return "– | 0";
    const { p50, p95, p99 } = toPercentiles(times);
    return `${[p50, p95, p99].map((ms) => ms.toFixed(1)).join(" / ")} | ${times.length}`;
  };
  const names = listCalls(first, 0).map(({ name }) => name);
  const heads = levels.map(({ users: count }) => `${count} users: p50 / p95 / p99 ms | calls`);
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, workerd ${readWorkerdVersion()}, ${database}, ` +
      `${availableParallelism()} cores, ${library.lectures} lectures of ${library.rows} rows a user, ` +
      `load average ${loadavg()[0]?.toFixed(1)} at the end`,
    levels
      .map(
        ({ users: count, intervalMs }) =>
          `${count} users: ${(count * 1_000) / intervalMs} calls a second`,
      )
      .join(", "),
    [
      `| call | round trips to the database | ${heads.join(" | ")} |`,
      `| --- | --- |${" --- | --- |".repeat(levels.length)}`,
      ...names.map(
        (name) =>
          `| ${name} | ${trips.get(name)} | ${results.map((times) => formatCell(times.get(name))).join(" | ")} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

/** Each call alone, after one that does the rare work, such as indexing for the search. */
async function countRoundTrips(
  user: ApiUser,
  turns: Map<ApiUser, number>,
): Promise<Map<string, number>> {
  const count = async () => (await request<RoundTrips>(stack, "count")).roundTrips;
  const trips = new Map<string, number>();
  for (let n = 0; n < 2; n += 1) {
    const turn = turns.get(user) ?? 0;
    for (const call of listCalls(user, turn)) {
      const before = await count();
      await send(url, user, call);
      trips.set(call.name, (await count()) - before);
      // An account may call five times a second.
      await wait(200);
    }
    turns.set(user, turn + 1);
  }
  return trips;
}

/** The times of all calls by name, ms. @throws when a call was refused. */
async function measureLevel(
  level: Level,
  turns: Map<ApiUser, number>,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const end = performance.now() + level.seconds * 1_000;
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
        // The next row of a transcript can be saved only after the one before, as a page does.
        running.push(
          send(url, user, call).then(() => {
            const list = times.get(call.name) ?? [];
            times.set(call.name, list);
            list.push(performance.now() - from);
          }),
        );
      }
      await Promise.all(running);
    }),
  );
  return times;
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
