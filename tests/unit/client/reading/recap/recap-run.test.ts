import fc from "fast-check";
import { expect, test } from "vitest";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { divideIntoBlocks, groupByHour } from "#client/reading/recap/recap-parts.ts";
import { type AskForRecap, type RecapDigests, runRecap } from "#client/reading/recap/recap-run.ts";
import type { RecapEvent } from "#client/reading/recap/recap-state.ts";
import { createDemoAnswer } from "#local/llm/demo.ts";
import { recapRowsMax, recapTextMaxLength } from "#shared/limits.ts";
import { createRecapPrompt, type RecapRequest, readRecap } from "#shared/recap.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

const minuteMs = 60_000;

/** A sentence each ten seconds, for `minutes`. */
const speak = (minutes: number): TranscriptRow[] =>
  Array.from({ length: minutes * 6 }, (_, position) =>
    createRow({
      position,
      startMs: position * 10_000,
      endMs: position * 10_000 + 9_000,
      original: `Sentence ${position} is about subject ${position % 7}, which is long enough to be read here${", and said once more".repeat(4)}.`,
    }),
  );

/** What is read of an answer that comes at once. */
const readAnswer = (answer: string, request: RecapRequest) =>
  readRecap(
    (async function* () {
      yield answer;
    })(),
    request,
  );

/** A model that answers as the stand-in does, and what it was asked. */
function createModel() {
  const requests: RecapRequest[] = [];
  const ask: AskForRecap = async function* (request) {
    requests.push(request);
    yield* readAnswer(createDemoAnswer(createRecapPrompt(request)), request);
  };
  return { requests, ask };
}

async function run(
  rows: readonly TranscriptRow[],
  ask: AskForRecap,
  digests: RecapDigests = new Map(),
  signal = new AbortController().signal,
): Promise<RecapEvent[]> {
  const events: RecapEvent[] = [];
  const task = { rows, ask, digests, language: "zh-cn" as const, terms: [], wordContext: "" };
  for await (const event of runRecap(task, signal)) events.push(event);
  return events;
}

const citedRows = (events: readonly RecapEvent[]) =>
  events.flatMap((event) => (event.kind === "begin" ? event.rows : []));
const sentLength = ({ rows }: RecapRequest) => rows.reduce((sum, { text }) => sum + text.length, 0);

test("asks once for what one call can read, with the rows' words and ids", async () => {
  const { requests, ask } = createModel();
  const rows = speak(5);
  const events = await run(rows, ask);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.rows.slice(0, 2)).toEqual([
    { id: "r1", text: rows[0]?.original },
    { id: "r2", text: rows[1]?.original },
  ]);
  expect(requests[0]).toMatchObject({ spokenIn: "en", language: "zh-cn", before: "" });
  expect(events.at(-1)).toEqual({ kind: "finish" });
  for (const { position, original } of citedRows(events))
    expect(rows[position]?.original).toBe(original);
});

test("condenses a long time by ten minutes, and cites the rows themselves", async () => {
  const { requests, ask } = createModel();
  const rows = speak(95);
  const events = await run(rows, ask);
  // Six blocks and their hour, three blocks of the next hour, and the recap.
  expect(requests).toHaveLength(6 + 1 + 3 + 1);
  for (const request of requests) {
    expect(sentLength(request)).toBeLessThanOrEqual(recapTextMaxLength);
    expect(request.rows.length).toBeLessThanOrEqual(recapRowsMax);
  }
  expect(events.filter(({ kind }) => kind === "progress")).toHaveLength(1 + 3 + 1);
  const cited = citedRows(events);
  expect(cited.length).toBeGreaterThan(2);
  for (const { position, original } of cited) expect(rows[position]?.original).toBe(original);
  // Nobody said the words of a statement.
  for (const event of events)
    if (event.kind === "begin" && event.quote !== "")
      expect(event.rows.some(({ original }) => original.includes(event.quote))).toBe(true);
});

test("withdraws a statement that quotes another one, whose words nobody said", async () => {
  const ask: AskForRecap = async function* (request) {
    const isLast = request.rows.some(({ text }) => text.startsWith("The speaker moves on"));
    const text = isLast
      ? "It says “The speaker moves on from there”."
      : "The speaker moves on from there.";
    yield* readAnswer(JSON.stringify({ rows: ["r1"], text }), request);
  };
  const kinds = (await run(speak(85), ask)).map(({ kind }) => kind);
  expect(kinds).toContain("drop");
  expect(kinds).not.toContain("end");
});

test("keeps a statement that quotes the last of the rows that a condensed one rests on", async () => {
  const ask: AskForRecap = async function* (request) {
    const quoted = request.rows.map(({ text }) => /“(.*)”/.exec(text)?.[1]).find(Boolean);
    const said = quoted ?? request.rows[3]?.text.slice(0, 30);
    const rows = quoted === undefined ? ["r1", "r2", "r3", "r4"] : ["r1", "r2"];
    yield* readAnswer(JSON.stringify({ rows, text: `It says “${said}”.` }), request);
  };
  const events = await run(speak(85), ask);
  expect(events.map(({ kind }) => kind)).not.toContain("drop");
  expect(citedRows(events).length).toBeLessThanOrEqual(6);
});

test("the tenth hour costs as much as the first one", async () => {
  const { requests, ask } = createModel();
  const digests: RecapDigests = new Map();
  await run(speak(590), ask, digests);
  requests.length = 0;
  await run(speak(600), ask, digests);
  const calls = requests.length;
  expect(calls).toBeLessThanOrEqual(3);
  expect(sentLength(requests.at(-1) as RecapRequest)).toBeLessThan(recapTextMaxLength / 2);
});

test("condenses again what was corrected, and nothing else", async () => {
  const { requests, ask } = createModel();
  const digests: RecapDigests = new Map();
  const rows = speak(55);
  await run(rows, ask, digests);
  requests.length = 0;
  await run(rows, ask, digests);
  expect(requests).toHaveLength(1);
  const corrected = rows.with(65, createRow({ ...rows[65], original: "Corrected by hand." }));
  await run(corrected, ask, digests);
  expect(requests).toHaveLength(1 + 2);
});

test("tells the model what came before, as far as it was condensed", async () => {
  const { requests, ask } = createModel();
  const digests: RecapDigests = new Map();
  const rows = speak(55);
  await run(rows, ask, digests);
  await run(rows.slice(-30), ask, digests);
  expect(requests.at(-1)?.before).toContain("〔简体中文·演示〕 Sentence");
});

test("goes on over ten minutes in which nothing of note was said, and ends where the model is down", async () => {
  const { requests, ask } = createModel();
  const failing =
    (isDown: (request: RecapRequest) => boolean): AskForRecap =>
    (request, signal) => {
      if (isDown(request)) throw new ApiError("llm_failed", true);
      return ask(request, signal);
    };
  const rows = speak(55);
  const isFirst = ({ rows: [row] }: RecapRequest) => row?.text.startsWith("Sentence 0 ") === true;
  expect((await run(rows, failing(isFirst))).at(-1)).toEqual({ kind: "finish" });
  requests.length = 0;
  let calls = 0;
  await expect(
    run(
      rows,
      failing(() => ++calls > 0),
    ),
  ).rejects.toMatchObject({ code: "llm_failed" });
  expect(calls).toBe(2);
});

test("asks no more once it is closed", async () => {
  const { requests, ask } = createModel();
  const controller = new AbortController();
  const closing: AskForRecap = (request, signal) => {
    if (requests.length === 1) controller.abort();
    return ask(request, signal);
  };
  await expect(run(speak(55), closing, new Map(), controller.signal)).rejects.toThrow();
  expect(requests.length).toBe(2);
});

test("divides any rows into blocks that one call can read, each row once and in order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 6_000 })), {
        minLength: 1,
        maxLength: 80,
      }),
      (sentences) => {
        const rows = sentences.map(([minute, length], position) =>
          createRow({
            position,
            startMs: minute * minuteMs,
            endMs: minute * minuteMs + 1,
            original: "x".repeat(length),
          }),
        );
        const blocks = divideIntoBlocks(rows);
        expect(blocks.flatMap((block) => block.rows)).toEqual(rows);
        expect(groupByHour(blocks).flat()).toEqual(blocks);
        for (const block of blocks) {
          const length = block.rows.reduce(
            (sum, { original }) => sum + Math.min(5_000, original.length),
            0,
          );
          expect(length).toBeLessThanOrEqual(recapTextMaxLength);
        }
      },
    ),
    { numRuns: countRuns(200) },
  );
});
