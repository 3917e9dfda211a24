import { expect, test } from "vitest";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failRequests, openGuest, openPrompts, untilOpen } from "./support.ts";

const about = (subject: string) => ({
  rows: [
    { id: "r1", text: `Today we speak of ${subject}.` },
    { id: "r2", text: "Light bends where glass begins." },
  ],
  spokenIn: "en" as const,
  language: "fr" as const,
  wordContext: "",
  before: "",
});

test("streams checked statements to a guest with a ticket, and to nobody without one", async () => {
  const { trpc } = await openGuest();
  const { pieces, failure } = await readPieces(await trpc.ai.recap.mutate(about("lenses")));
  expect(failure).toBeNull();
  expect(pieces.filter(({ kind }) => kind !== "text")).toEqual([
    { kind: "begin", rows: ["r1"], quote: "Today we speak of lenses." },
    { kind: "end" },
    { kind: "begin", rows: ["r2"], quote: "Light bends where glass begins." },
    { kind: "end" },
  ]);
  expect(await getErrorCode(openBrowser().trpc.ai.recap.mutate(about("x")))).toBe(
    "unauthenticated",
  );
});

test("ends the model's work when the client leaves", async () => {
  const { trpc } = await openSignedIn();
  await failRequests("recapped prisms", { fail: "stall" });
  const hangUp = new AbortController();
  const stream = await trpc.ai.recap.mutate(about("recapped prisms"), { signal: hangUp.signal });
  const first = readPieces(stream);
  await untilOpen("recapped prisms", 1);
  hangUp.abort();
  await first;
  await untilOpen("recapped prisms", 0);
  expect(await openPrompts("recapped prisms")).toBe(0);
});

test("keeps what was checked before the model breaks off", async () => {
  const { trpc } = await openSignedIn();
  const [line, cut] = [
    '{"rows": ["r2"], "quote": "", "text": "La lumière se courbe."}',
    '{"rows": ["r1"], "quote": "", "text": "Il par',
  ];
  await failRequests("broken recaps", { answer: `${line}\n${cut}` });
  const { pieces, failure } = await readPieces(await trpc.ai.recap.mutate(about("broken recaps")));
  expect(failure).toBeNull();
  expect(pieces.map(({ kind }) => kind).filter((kind) => kind !== "text")).toEqual([
    "begin",
    "end",
    "begin",
    "drop",
  ]);
});

test.each([
  ['{"rows": ["r9"], "quote": "", "text": "The exam is cancelled."}', "recap of unknown rows"],
  ["The exam is cancelled.", "recap without rows"],
])("refuses an answer that no row supports: %s", async (answer, subject) => {
  const { trpc } = await openSignedIn();
  await failRequests(subject, { answer });
  const { pieces, failure } = await readPieces(await trpc.ai.recap.mutate(about(subject)));
  expect(pieces).toEqual([]);
  expect(failure).toMatchObject({ data: { appCode: "llm_unusable" } });
});

test.each([
  ["ids that are not in order", { rows: [{ id: "r2", text: "x" }] }],
  ["no rows", { rows: [] }],
  [
    "too much text",
    { rows: Array.from({ length: 9 }, (_, at) => ({ id: `r${at + 1}`, text: "x".repeat(5_000) })) },
  ],
])("refuses %s", async (_, change) => {
  const { trpc } = await openSignedIn();
  expect(await getErrorCode(trpc.ai.recap.mutate({ ...about("x"), ...change }))).toBe(
    "validation_failed",
  );
});
