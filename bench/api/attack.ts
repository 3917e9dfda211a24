import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { toPercentiles } from "#bench/percentiles.ts";
import { presentNames } from "#shared/former-names.ts";
import { listCalls, send } from "./calls.ts";
import type { ApiUser } from "./stack.ts";

export interface AttackPlan {
  /** Turns of a time alone and one under attack. */
  rounds: number;
  /** Of each of the two. */
  seconds: number;
  /** Between two calls of a user, ms. */
  intervalMs: number;
}

/** In a row, of one account; as many as a minute allows. */
const summaries = 10;
/** A reader that has got nothing after this time gets nothing. */
const translatedWithinMs = 20_000;

export interface AttackResult {
  /** How long other users waited for their answers, ms. */
  alone: number[];
  attacked: number[];
  /** CPU seconds by process. */
  cpu: Record<"alone" | "attacked", Record<string, number>>;
  summaries: number;
  /** Rows that a reader got in the language of its choice. */
  translations: number;
  faults: string[];
}

/**
 * Measures how long users wait while accounts with a hostile glossary have a lecture summarised, ten times in a row, and
 * a reader has it translated. Each turn has accounts of its own, so that each builds its indexes.
 */
export async function measureAttack(
  url: string,
  users: readonly ApiUser[],
  hostile: readonly ApiUser[],
  plan: AttackPlan,
  /** CPU seconds until now, by process. */
  readCpu: () => Record<string, number>,
): Promise<AttackResult> {
  const result: AttackResult = {
    alone: [],
    attacked: [],
    cpu: { alone: {}, attacked: {} },
    summaries: 0,
    translations: 0,
    faults: [],
  };
  const attackers = hostile.values();
  // What a first call needs.
  await callSite(url, users, { ...plan, seconds: 3 }, []);
  for (let round = 0; round < plan.rounds; round += 1) {
    let before = readCpu();
    const count = (phase: "alone" | "attacked") => {
      const after = readCpu();
      const sums = result.cpu[phase];
      for (const [name, seconds] of Object.entries(after))
        sums[name] = (sums[name] ?? 0) + seconds - (before[name] ?? 0);
      before = after;
    };
    result.faults.push(...(await callSite(url, users, plan, result.alone)));
    count("alone");
    const stop = new AbortController();
    const attack = runAttacks(url, attackers, result, stop.signal);
    result.faults.push(...(await callSite(url, users, plan, result.attacked)));
    stop.abort();
    await attack;
    count("attacked");
  }
  return result;
}

/** The pages of `users` for some seconds. A call's time begins when it was due. */
async function callSite(
  url: string,
  users: readonly ApiUser[],
  { seconds, intervalMs }: AttackPlan,
  times: number[],
): Promise<string[]> {
  const faults: string[] = [];
  const began = performance.now();
  await Promise.all(
    users.map(async (user, index) => {
      // What only reads, so that each turn has the same calls.
      const calls = listCalls(user, 0).filter(({ isMutation }) => !isMutation);
      const running: Promise<void>[] = [];
      let due = began + (intervalMs * index) / users.length;
      for (let n = index; due < began + seconds * 1_000; n += 1) {
        await wait(Math.max(0, due - performance.now()));
        const call = calls[n % calls.length];
        const from = due;
        if (call)
          running.push(
            send(url, user, call).then(
              () => void times.push(performance.now() - from),
              (error) => void faults.push(error.message),
            ),
          );
        due += intervalMs;
      }
      await Promise.all(running);
    }),
  );
  return faults;
}

/** One account after the other until `signal`. */
async function runAttacks(
  url: string,
  attackers: Iterator<ApiUser>,
  result: AttackResult,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const { value: user, done } = attackers.next();
      if (done) return;
      const lectureId = user.lectureIds[0] ?? "";
      let onFirst = () => {};
      const translated = new Promise<void>((resolve) => {
        onFirst = resolve;
      });
      const reader = await openReader(url, user, lectureId, () => {
        result.translations += 1;
        onFirst();
      });
      for (let n = 0; n < summaries && (n === 0 || !signal.aborted); n += 1)
        await send(url, user, {
          name: "summary",
          procedures: [["ai.summarize", { lectureId, targetLanguage: "fr" }]],
          isMutation: true,
          isStreamed: true,
        }).then(
          () => {
            result.summaries += 1;
          },
          (error) => void result.faults.push(`attack: ${error.message}`),
        );
      await Promise.race([translated, wait(translatedWithinMs)]);
      reader.close();
    }
  } catch (error) {
    result.faults.push(error instanceof Error ? error.message : String(error));
  }
}

/** Shares the lecture, and reads it in a language into which nothing is translated yet. */
async function openReader(
  url: string,
  user: ApiUser,
  lectureId: string,
  onTranslation: () => void,
): Promise<WebSocket> {
  const share = { lectureId, mode: "until_revoked", mayCopy: true };
  const answer = await fetch(`${url}/trpc/shares.create`, {
    method: "POST",
    headers: {
      cookie: user.cookie,
      origin: url,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    },
    body: JSON.stringify(share),
  });
  if (!answer.ok) throw new Error(`not shared: ${await answer.text()}`);
  const { code } = (await answer.json()).result.data;
  const address = `${url.replace(/^http/, "ws")}/api/shares?code=${code}&names=${presentNames}&language=de`;
  const socket = new WebSocket(address, { headers: { origin: url } });
  socket.on("message", (data) => {
    const { translations = [] } = JSON.parse(String(data));
    for (const _ of translations) onTranslation();
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return socket;
}

const formatCpu = (cpu: Record<string, number>): string =>
  Object.entries(cpu)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`)
    .join(", ");

/** A table, and what is wrong: nothing was attacked, or others waited twice as long, unless the figures are `meaningless`. */
export function formatAttack(
  result: AttackResult,
  meaningless: boolean,
): { text: string; failures: string[] } {
  const row = (name: string, times: readonly number[]) => {
    const { p50, p95, p99 } = toPercentiles(times);
    const longest = Math.max(...times);
    return `| ${name} | ${[p50, p95, p99, longest].map((ms) => ms.toFixed(1)).join(" / ")} | ${times.length} |`;
  };
  const [alone, attacked] = [toPercentiles(result.alone).p99, toPercentiles(result.attacked).p99];
  const failures = [
    ...result.faults,
    result.summaries === 0 && "no summary was written",
    result.translations === 0 && "no reader got a translation",
    !meaningless &&
      attacked > 2 * alone &&
      `p99 was ${(attacked / alone).toFixed(2)} times that alone`,
  ].filter((one) => one !== false);
  return {
    text: [
      "| other users' answers | p50 / p95 / p99 / longest ms | calls |",
      "| --- | --- | --- |",
      row("alone", result.alone),
      row("attacked", result.attacked),
      "",
      `CPU seconds alone: ${formatCpu(result.cpu.alone)}. Attacked: ${formatCpu(result.cpu.attacked)}.`,
      `${result.summaries} summaries with hostile glossaries, ${result.translations} rows translated for readers.`,
    ].join("\n"),
    failures,
  };
}
