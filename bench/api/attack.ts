import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { toPercentiles } from "#bench/percentiles.ts";
import { type ApiCall, listCalls, send } from "./calls.ts";
import type { ApiUser } from "./stack.ts";

export interface AttackPlan {
  /** Turns of an attack, and a time of the same length without one. */
  rounds: number;
  /** Between two calls of a user, ms. */
  intervalMs: number;
}

/** In a row, of one account; as many as a minute allows. */
const summaries = 10;
const warmUpMs = 3_000;
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
  // What a first call needs.
  const warm = performance.now() + warmUpMs;
  await callSite(url, users, plan, (due) => due < warm, []);
  for (const attacker of hostile.slice(0, plan.rounds)) {
    let before = readCpu();
    const count = (phase: "alone" | "attacked") => {
      const after = readCpu();
      const sums = result.cpu[phase];
      for (const [name, seconds] of Object.entries(after))
        sums[name] = (sums[name] ?? 0) + seconds - (before[name] ?? 0);
      before = after;
    };
    const began = performance.now();
    let isOver = false;
    const attack = runAttack(url, attacker, result).finally(() => {
      isOver = true;
    });
    result.faults.push(...(await callSite(url, users, plan, () => !isOver, result.attacked)));
    await attack;
    count("attacked");
    const end = 2 * performance.now() - began;
    const isLeft = (due: number) => due < end;
    result.faults.push(...(await callSite(url, users, plan, isLeft, result.alone)));
    count("alone");
  }
  return result;
}

/** The pages of `users`, for calls that are due while `isLeft`. A call's time begins when it was due. */
async function callSite(
  url: string,
  users: readonly ApiUser[],
  { intervalMs }: AttackPlan,
  isLeft: (due: number) => boolean,
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
      for (let n = index; ; n += 1) {
        await wait(Math.max(0, due - performance.now()));
        if (!isLeft(due)) break;
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

/** Ten summaries in a row, and a reader. */
async function runAttack(url: string, user: ApiUser, result: AttackResult): Promise<void> {
  const lectureId = user.lectureIds[0] ?? "";
  const summary: ApiCall = {
    name: "summary",
    procedures: [["ai.summarize", { lectureId, targetLanguage: "fr" }]],
    isMutation: true,
    isStreamed: true,
  };
  try {
    let onFirst = () => {};
    const translated = new Promise<void>((resolve) => {
      onFirst = resolve;
    });
    const reader = await openReader(url, user, lectureId, () => {
      result.translations += 1;
      onFirst();
    });
    for (let n = 0; n < summaries; n += 1) {
      await send(url, user, summary);
      result.summaries += 1;
    }
    await Promise.race([translated, wait(translatedWithinMs)]);
    reader.close();
  } catch (error) {
    result.faults.push(`attack: ${error instanceof Error ? error.message : String(error)}`);
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
  const address = `${url.replace(/^http/, "ws")}/api/shares?code=${code}&language=de`;
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
