import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lectures, summaryNotes } from "#drizzle/schema.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { callUntilLimited, waitForWindow } from "#tests/worker/support/limits.ts";
import { getServices } from "#worker/services.ts";
import { failRequests, openGuest, openPrompts, storeLecture, untilOpen } from "./support.ts";

const { db } = getServices(env);
const into = (lectureId: string) => ({ lectureId, targetLanguage: "fr" as const });
/** A separate text for each test, so that injected failures affect no other test. */
const lectureOn = (subject: string) =>
  `Today we speak of ${subject}. Light bends where glass begins. It bends back where it ends.`;

type Trpc = Awaited<ReturnType<typeof openSignedIn>>["trpc"];
const summarise = async (trpc: Trpc, text: string) =>
  readPieces(await trpc.ai.summarize.mutate(into(await storeLecture(trpc, text))));

const post = (browser: Awaited<ReturnType<typeof openSignedIn>>["browser"], lectureId: string) =>
  browser.fetch("/trpc/ai.summarize?batch=1", {
    method: "POST",
    headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
    body: JSON.stringify({ 0: into(lectureId) }),
  });

describe("ai.summarize", () => {
  test("streams a summary in Markdown", async () => {
    const { trpc } = await openSignedIn();
    const { pieces, text, failure } = await summarise(trpc, lectureOn("lenses"));
    expect(failure).toBeNull();
    expect(pieces.length).toBeGreaterThan(5);
    expect(text).toBe(
      [
        "## 〔Français·démonstration〕",
        "",
        "- Today we speak of lenses.",
        "- Light bends where glass begins.",
        "- It bends back where it ends.",
      ].join("\n"),
    );
  });

  test("says where it used the marks and notes of the lecture's owner", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id: lectureId, title: "Waves", targetLanguage: "fr" });
    const rows = ["Waves carry energy.", "They bend.", "They add up."];
    await trpc.lectures.saveRows.mutate({
      lectureId,
      entries: rows.map((original, ordinal) => createEntry(original, ordinal * 1_000, { ordinal })),
      deleted: [],
    });
    const mark = (atMs: number, note: string, position: number | null = null) => ({
      id: crypto.randomUUID(),
      atMs,
      position,
      note,
    });
    await trpc.marks.change.mutate({
      lectureId,
      marks: [mark(1_950, "Snell"), mark(0, "", 2)],
      deletedIds: [],
    });
    const { text } = await readPieces(await trpc.ai.summarize.mutate(into(lectureId)));
    expect(text.split("\n").slice(2)).toEqual([
      "- Waves carry energy.",
      "- ⚑ They bend.",
      "- ⚑ They add up.",
      "- ⚑ Snell",
    ]);
  });

  test("answers in English if there is no target language", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, "Hello there.");
    const stream = await trpc.ai.summarize.mutate({ lectureId, targetLanguage: "none" });
    expect((await readPieces(stream)).text).toContain("〔English·demo〕");
  });

  test("sends the first piece while the model is writing, and ends the model's work when the client disconnects", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("prisms", { fail: "stall" });
    const hangUp = new AbortController();
    const lectureId = await storeLecture(trpc, lectureOn("prisms"));
    const stream = await trpc.ai.summarize.mutate(into(lectureId), { signal: hangUp.signal });
    const iterator = stream[Symbol.asyncIterator]();
    const first = await iterator.next();
    expect(first.value).toContain("##");
    expect(await openPrompts("prisms")).toBe(1);
    hangUp.abort();
    await untilOpen("prisms", 0);
  });

  test("ends the work on the parts when the client disconnects before the first piece", async () => {
    const { trpc } = await openSignedIn();
    const subject = "a slow aquarium";
    await failRequests(subject, { delayMs: 60_000 });
    const hangUp = new AbortController();
    const text = `Water bends light in ${subject}, sentence after sentence. `.repeat(7_000);
    const lectureId = await storeLecture(trpc, text);
    const stream = await trpc.ai.summarize.mutate(into(lectureId), { signal: hangUp.signal });
    const first = stream[Symbol.asyncIterator]()
      .next()
      .catch((failure: unknown) => failure);
    await untilOpen(subject, 2);
    hangUp.abort();
    await first;
    await untilOpen(subject, 0);
  });

  test("answers uncompressed and uncached", async () => {
    const { browser, trpc } = await openSignedIn();
    const response = await post(browser, await storeLecture(trpc, lectureOn("mirrors")));
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("content-length")).toBeNull();
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    await response.body?.cancel();
  });

  test.each(["cut", "end", "error", "garbage", "length"])(
    "fails with a code and no internal detail after a stream that breaks (%s)",
    async (kind) => {
      const { trpc, browser } = await openSignedIn();
      const subject = `fault ${kind}`;
      await failRequests(subject, { fail: kind });
      const lectureId = await storeLecture(trpc, lectureOn(subject));
      const { pieces, failure } = await readPieces(await trpc.ai.summarize.mutate(into(lectureId)));
      expect(pieces.length).toBeGreaterThan(0);
      const appCode = kind === "length" ? "llm_unusable" : "llm_failed";
      expect(failure).toMatchObject({ message: appCode, data: { appCode } });
      const sent = await (await post(browser, lectureId)).text();
      expect(sent).toContain(`"appCode":"${appCode}"`);
      expect(sent).not.toMatch(/stack|at \w+ \(|<html>|Failure 500|the stream/);
    },
  );

  test.each([
    ["refusals", { fail: 500 }, "llm_failed"],
    ["queues", { fail: 429 }, "rate_limited"],
    ["sentinels", { answer: "[Summary Failed]" }, "llm_failed"],
    ["nothing", { answer: " \n" }, "llm_failed"],
  ])("sends no piece if the model gives no summary (%s)", async (subject, fault, code) => {
    const { trpc } = await openSignedIn();
    await failRequests(`no summary of ${subject}`, fault);
    const { pieces, failure } = await summarise(trpc, lectureOn(`no summary of ${subject}`));
    expect(pieces).toEqual([]);
    expect(failure).toMatchObject({ data: { appCode: code } });
  });

  test("summarises a lecture beyond the window in parts, then together", async () => {
    const { trpc } = await openSignedIn();
    const subject = "rainbows";
    const text = Array.from(
      { length: 600 },
      (_, n) => `Sentence ${n} of the lecture on ${subject} says what colour number ${n} is.`,
    ).join(" ");
    await failRequests(subject, { windowTokens: 6_000 });
    const { text: summary, failure } = await summarise(trpc, text);
    expect(failure).toBeNull();
    expect(summary).toContain("〔Français·démonstration〕");
    expect(summary).toContain("- Sentence 0 of the lecture");
  });

  test("goes on from the notes on its parts after it was broken off, and forgets them then", async () => {
    const { trpc, user } = await openSignedIn();
    const subject = "twilight";
    const text = Array.from(
      { length: 600 },
      (_, n) => `Sentence ${n} of the lecture on ${subject} says what colour number ${n} is.`,
    ).join(" ");
    const lectureId = await storeLecture(trpc, text);
    const countNotes = () => db.$count(summaryNotes, eq(summaryNotes.userId, user.id));
    const run = async () => readPieces(await trpc.ai.summarize.mutate(into(lectureId)));
    await failRequests(subject, { windowTokens: 6_000 });
    // The notes on the parts are there, and not the summary.
    await failRequests("- Sentence 0 of the lecture on twilight", { fail: 401, count: 1 });
    expect((await run()).failure).toMatchObject({ data: { appCode: "llm_failed" } });
    expect(await countNotes()).toBeGreaterThan(0);
    const { text: summary, failure } = await run();
    expect(failure).toBeNull();
    expect(summary).toContain("- Sentence 0 of the lecture");
    expect(await countNotes()).toBe(0);
  });

  test("requires a user, and limits the calls", async () => {
    const { trpc: asGuest } = await openGuest();
    const { trpc } = await openSignedIn();
    const often = into(await storeLecture(trpc, "Often."));
    expect(await getErrorCode(asGuest.ai.summarize.mutate(often))).toBe("sign_in_required");
    expect(await getErrorCode(openBrowser().trpc.ai.summarize.mutate(often))).toBe(
      "unauthenticated",
    );

    const summary = async () => readPieces(await trpc.ai.summarize.mutate(often));
    const refusals = await callUntilLimited(10, summary);
    expect(refusals.slice(0, 10)).toEqual(Array(10).fill({ appCode: "no error" }));
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
    const other = await openSignedIn();
    expect((await summarise(other.trpc, "Often.")).failure).toBeNull();
  });

  test("refuses a lecture without words or with more than ten hours of speech", async () => {
    const { trpc } = await openSignedIn();
    const summarised = async (text: string) =>
      getErrorCode(trpc.ai.summarize.mutate(into(await storeLecture(trpc, text))));
    expect(await summarised(" ")).toBe("validation_failed");
    const tenHours = "a word ".repeat(85_000);
    expect(await summarised(`${tenHours}${"a word ".repeat(1_000)}`)).toBe("payload_too_large");
    const { failure } = await summarise(trpc, `${tenHours}.`);
    expect(failure).toBeNull();
  });

  test("reads all rows in order, or the text of a lecture without rows", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, "");
    const rows = ["First the light bends.", "Then it bends back."].map((original, ordinal) =>
      createEntry(original, ordinal, { ordinal }),
    );
    const summarised = async () =>
      (await readPieces(await trpc.ai.summarize.mutate(into(lectureId)))).text;
    const { db } = getServices(env);
    await db
      .update(lectures)
      .set({ originalText: "Imported without rows." })
      .where(eq(lectures.id, lectureId));
    expect(await summarised()).toContain("- Imported without rows.");
    await trpc.lectures.saveRows.mutate({ lectureId, entries: rows, deleted: [] });
    const text = await summarised();
    expect(text).toContain("- First the light bends.\n- Then it bends back.");
    expect(text).not.toContain("Imported");
  });

  test("does not find a deleted lecture", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, "Only for its owner.");
    await trpc.lectures.delete.mutate({ id: lectureId });
    expect(await getErrorCode(trpc.ai.summarize.mutate(into(lectureId)))).toBe("not_found");
  });

  test("counts each call of a batch, which has the usual maximum size", async () => {
    const { browser, trpc } = await openSignedIn();
    const short = into(await storeLecture(trpc, "Short."));
    const batch = (size: number) =>
      browser.fetch(`/trpc/${Array(size).fill("ai.summarize").join()}?batch=1`, {
        method: "POST",
        headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
        body: JSON.stringify(Object.fromEntries(Array(size).fill(short).entries())),
      });
    expect((await batch(11)).status).toBe(400);
    await waitForWindow(15);
    const text = await (await batch(10)).text();
    expect(text).not.toContain("rate_limited");
    expect(await (await batch(1)).text()).toContain("rate_limited");
  });

  test("refuses a call without the streaming link", async () => {
    const { browser, trpc } = await openSignedIn();
    const short = into(await storeLecture(trpc, "Short."));
    const response = await browser.fetch("/trpc/ai.summarize", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(short),
    });
    expect(response.status).toBe(415);
  });
});
