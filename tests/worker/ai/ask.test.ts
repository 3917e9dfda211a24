import { describe, expect, test } from "vitest";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failRequests, openPrompts, storeLecture, untilOpen } from "./support.ts";

type Trpc = Awaited<ReturnType<typeof openSignedIn>>["trpc"];

/** A separate text for each test, so that injected failures affect no other test. */
const createQuestion = async (trpc: Trpc, subject: string) => ({
  id: crypto.randomUUID(),
  kind: "asked" as const,
  follows: null,
  answerIn: "fr" as const,
  question: `What of ${subject}?`,
  scope: { lectureId: await storeLecture(trpc, `We speak of ${subject} here.`), folderId: null },
});

describe("ask.ask", () => {
  test("streams an answer with its rows, and lists it", async () => {
    const { trpc } = await openSignedIn();
    const question = await createQuestion(trpc, "lenses");
    const { pieces: events, failure } = await readPieces(await trpc.ask.ask.mutate(question));
    expect(failure).toBeNull();
    const texts = events.filter(({ kind }) => kind === "text");
    expect(texts.length).toBeGreaterThan(2);
    expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(["begin", "end"]);
    const { items } = await trpc.ask.list.query({ scope: question.scope });
    expect(items).toMatchObject([
      {
        id: question.id,
        statements: [
          {
            text: "〔Français·démonstration〕 We speak of lenses here.",
            rows: [{ original: "We speak of lenses here.", position: 0 }],
          },
        ],
      },
    ]);
  });

  test("ends the model's work when the client leaves, and keeps nothing", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("slow prisms", { fail: "stall" });
    const question = await createQuestion(trpc, "slow prisms");
    const hangUp = new AbortController();
    const stream = await trpc.ask.ask.mutate(question, { signal: hangUp.signal });
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ kind: "begin" });
    expect(await openPrompts("slow prisms")).toBe(1);
    hangUp.abort();
    await untilOpen("slow prisms", 0);
    expect((await trpc.ask.list.query({ scope: question.scope })).items).toEqual([]);
  });

  test.each(["cut", "end", "error", "garbage", "length"])(
    "withdraws the statement that breaks off, and fails with a code (%s)",
    async (fail) => {
      const { trpc } = await openSignedIn();
      const subject = `broken mirrors of ${fail}`;
      await failRequests(subject, { fail });
      const question = await createQuestion(trpc, subject);
      const { pieces: events, failure } = await readPieces(await trpc.ask.ask.mutate(question));
      const appCode = fail === "length" ? "llm_unusable" : "llm_failed";
      expect(failure).toMatchObject({ data: { appCode } });
      expect(events.filter(({ kind }) => kind === "end")).toEqual([]);
      if (events.length > 0) expect(events.at(-1)).toEqual({ kind: "drop" });
      expect((await trpc.ask.list.query({ scope: question.scope })).items).toEqual([]);
    },
  );

  test("takes no more calls than summaries", async () => {
    const { trpc } = await openSignedIn();
    const question = await createQuestion(trpc, "patience");
    const codes: string[] = [];
    // The tests' limiter counts by minutes of the clock.
    for (let n = 0; n <= 20 && codes.at(-1) !== "rate_limited"; n += 1)
      codes.push(
        await getErrorCode(
          trpc.ask.ask.mutate({ ...question, id: crypto.randomUUID() }).then(readPieces),
        ),
      );
    expect(codes.slice(0, 10)).toEqual(Array(10).fill("no error"));
    expect(codes.at(-1)).toBe("rate_limited");
    const stranger = openBrowser().trpc;
    expect(await getErrorCode(stranger.ask.ask.mutate(question))).toBe("unauthenticated");
  });
});
