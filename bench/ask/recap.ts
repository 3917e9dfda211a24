import { createTRPCClient, httpBatchStreamLink } from "@trpc/client";
import type { ApiStackPlan, ApiStackReady } from "#bench/api/stack.ts";
import { prepareBuild } from "#bench/build.ts";
import { createRandom, createZipf, toEnglishWord } from "#bench/library-data.ts";
import { percentile } from "#bench/percentiles.ts";
import { startProcess } from "#bench/processes.ts";
import type { RoomReady } from "#bench/relay/room.ts";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { toNumberedId } from "#client/lib/numbered-id.ts";
import { type RecapRange, selectRows } from "#client/reading/recap/recap-range.ts";
import { type AskForRecap, type RecapDigests, runRecap } from "#client/reading/recap/recap-run.ts";
import type { AppRouter } from "#server/app-router.ts";

/** The model's stand-in takes so long until its first word, ms. */
const modelMs = 100;
const rowMs = 5_000;
/** Accounts that ask by turns, because each may call five times a second. */
const users = 20;

interface RecapTimes {
  minutes: number;
  range: string;
  /** Of the model, when the lecture is asked about for the first time, and of each run. */
  firstCalls: number;
  calls: number;
  /** Of the rows and of what was said before, of one run. */
  characters: number;
  /** From the request to the first words, without the model's time; ms. */
  p50: number;
  p95: number;
}

/** A lecture of twelve words each five seconds. */
function speak(minutes: number): TranscriptRow[] {
  const random = createRandom(minutes);
  const rank = createZipf(5_000, random);
  const say = () => `${Array.from({ length: 12 }, () => toEnglishWord(rank())).join(" ")}.`;
  return Array.from({ length: (minutes * 60_000) / rowMs }, (_, position) => ({
    id: toNumberedId(position),
    ordinal: position,
    position,
    original: say(),
    originalByHand: false,
    spokenIn: "en",
    speaker: null,
    startMs: position * rowMs,
    endMs: position * rowMs + rowMs - 500,
    translated: "",
    translatedInto: null,
    translation: "none",
    translatedByHand: false,
  }));
}

/**
 * How long the page and the built worker take until a recap's first words, besides the model: of the last five minutes, and
 * of everything that was said, which was asked for before. One call of the model for each run.
 */
export async function measureRecaps(
  lengths: readonly number[],
  runs: number,
): Promise<RecapTimes[]> {
  const { buildDir, close } = await prepareBuild();
  const plan: ApiStackPlan = { users, lectures: 1, rows: 1, hostile: 0, isPglite: true };
  const stack = await startProcess<ApiStackReady>("api/stack.ts", plan);
  const { vars } = stack.ready;
  const edge = await startProcess<RoomReady>("relay/room.ts", { vars, buildDir });
  const origin = edge.ready.url;
  const clients = stack.ready.users.map(({ cookie }) =>
    createTRPCClient<AppRouter>({
      links: [
        httpBatchStreamLink({
          url: `${origin}/trpc`,
          maxItems: 1,
          headers: { cookie, origin, "sec-fetch-site": "same-origin" },
        }),
      ],
    }),
  );
  let calls = 0;
  let characters = 0;
  const ask: AskForRecap = async function* ({ rows, ...request }, signal) {
    calls += 1;
    characters = rows.reduce((sum, { text }) => sum + text.length, request.before.length);
    const client = clients[calls % clients.length];
    if (!client) throw new Error("no user asks");
    yield* await client.ai.recap.mutate({ ...request, rows: [...rows] }, { signal });
  };
  const setDelay = (delayMs: number) =>
    fetch(`${vars.LOCAL_STACK_URL}/llm/control`, {
      method: "POST",
      body: JSON.stringify({ reset: true, delayMs }),
    });
  /** From the request to the first words, without the model's time; ms. */
  async function time(all: readonly TranscriptRow[], range: RecapRange, digests: RecapDigests) {
    const began = performance.now();
    calls = 0;
    let first: number | null = null;
    const rows = selectRows(all, range);
    const task = { rows, digests, ask, language: "fr", terms: [], wordContext: "" } as const;
    for await (const { kind } of runRecap(task, new AbortController().signal))
      if (kind === "text") first ??= performance.now() - began;
    if (first === null) throw new Error("a recap without words");
    return first - calls * modelMs;
  }

  try {
    const results: RecapTimes[] = [];
    for (const minutes of lengths)
      for (const [name, range] of Object.entries<RecapRange>({
        "the last 5 minutes": { kind: "minutes", minutes: 5 },
        "since the start": { kind: "mark", sinceMs: 0 },
      })) {
        const all = speak(minutes);
        const digests: RecapDigests = new Map();
        await setDelay(0);
        await time(all, range, digests);
        const firstCalls = calls;
        await setDelay(modelMs);
        const times: number[] = [];
        for (let n = 0; n < runs; n += 1) times.push(await time(all, range, digests));
        const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
        results.push({ minutes, range: name, firstCalls, calls, characters, p50, p95 });
      }
    return results;
  } finally {
    await edge.stop();
    await stack.stop();
    await close();
  }
}
