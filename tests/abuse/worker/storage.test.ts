import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lectures, userStorage } from "#drizzle/schema.ts";
import { accountBytesMax, lectureBytesMax } from "#server/lectures/storage.ts";
import type { LecturePage, TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode, getErrorData } from "#tests/worker/support/errors.ts";
import { waitForWindow } from "#tests/worker/support/limits.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const mebibyte = 1024 * 1024;
type Account = Awaited<ReturnType<typeof openSignedIn>>;

const entry = (original: string, translated = ""): TranscriptEntry =>
  createEntry(original, 0, { translated, endMs: 1 });

async function addLecture({ trpc }: Account): Promise<string> {
  const id = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id, title: "Optics", targetLanguage: "zh-cn" });
  return id;
}

const append = ({ trpc }: Account, lectureId: string, from: number, entries: TranscriptEntry[]) =>
  trpc.lectures.saveRows.mutate({ lectureId, entries: numberRows(entries, from), deleted: [] });

/** New rows of 4 MB. */
const createLongRows = () =>
  Array.from({ length: 100 }, () => entry("x".repeat(20_000), "y".repeat(20_000)));

/** Calls `lectures.get` for all inputs in one HTTP request; `length` is that of the answer. */
async function getInOneRequest({ browser }: Account, inputs: object[]) {
  const path = inputs.map(() => "lectures.get").join(",");
  const input = encodeURIComponent(JSON.stringify({ ...inputs }));
  const text = await (await browser.fetch(`/trpc/${path}?batch=1&input=${input}`)).text();
  const answers = JSON.parse(text) as { result: { data: LecturePage } }[];
  return { length: text.length, pages: answers.map(({ result }) => result.data) };
}

describe("endless text", () => {
  it("is refused when the lecture is full, and when the account is", async () => {
    const account = await openSignedIn();
    const lectureId = await addLecture(account);
    const codes: string[] = [];
    for (const from of [0, 100, 200, 300, 300])
      codes.push(await getErrorCode(append(account, lectureId, from, createLongRows())));
    expect(codes).toEqual(["no error", "no error", "no error", "lecture_full", "lecture_full"]);
    const [row] = await db.select().from(lectures).where(eq(lectures.id, lectureId));
    expect(row?.entryBytes).toBeLessThanOrEqual(lectureBytesMax);

    const { user } = account;
    await db
      .update(userStorage)
      .set({ bytes: accountBytesMax.free })
      .where(eq(userStorage.userId, user.id));
    const other = await addLecture(account);
    expect(await getErrorCode(append(account, other, 0, [entry("x")]))).toBe("account_full");
  });

  it("is limited per user and minute; a long write counts as many", async () => {
    await waitForWindow(15);
    const account = await openSignedIn();
    const lectureId = await addLecture(account);
    // 31 of the minute's 300 units.
    const appendLong = () => append(account, lectureId, 0, createLongRows());
    const rename = () => account.trpc.lectures.rename.mutate({ id: lectureId, title: "x" });
    for (let used = 1; used < 300 - 31 - 1; used += 1)
      await env.LIMIT_WRITES.limit({ key: `user:${account.user.id}` });
    await rename();
    await appendLong();
    for (const write of [rename, appendLong])
      expect(await getErrorData(write())).toMatchObject({
        appCode: "rate_limited",
        retryAfterSeconds: 20,
      });
    const other = await openSignedIn();
    expect(await getErrorCode(addLecture(other))).toBe("no error");
  });
});

describe("reading a long lecture", () => {
  it("answers a batch of ten with a few megabytes", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const entries = Array.from({ length: 300 }, () =>
      entry("语".repeat(6_000), "文".repeat(6_000)),
    );
    for (const from of [0, 100, 200])
      await append(account, id, from, entries.slice(from, from + 100));
    const ten = Array.from({ length: 10 }, () => ({ id }));
    const withTexts = await getInOneRequest(account, ten);
    expect(new TextEncoder().encode(JSON.stringify(withTexts.pages)).length).toBeLessThan(
      8 * mebibyte,
    );
    const without = await getInOneRequest(
      account,
      ten.map((one) => ({ ...one, texts: false })),
    );
    expect(new TextEncoder().encode(JSON.stringify(without.pages)).length).toBeLessThan(
      8 * mebibyte,
    );
    for (const { entries: some, nextCursor } of [...withTexts.pages, ...without.pages]) {
      expect(some.length).toBeGreaterThan(0);
      expect(nextCursor).toBe(some.length);
    }
  });

  it("answers three hours in one page with the composed texts", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const sentence = (n: number) => ({
      ...entry(`Sentence ${n} ${"about light ".repeat(6)}.`, `第${n}句${"关于光".repeat(14)}。`),
      speaker: n % 2 === 0 ? "1" : null,
    });
    const all = Array.from({ length: 2_000 }, (_, n) => sentence(n));
    for (let from = 0; from < all.length; from += 500)
      await append(account, id, from, all.slice(from, from + 500));
    const whole = await account.trpc.lectures.get.query({ id });
    expect(whole.nextCursor).toBeNull();
    // The calls of 500 rows, in their order.
    const stored = numberRows(all).map((row) => ({
      ...row,
      seq: 1 + Math.floor(row.ordinal / 500),
    }));
    expect(whole.entries).toEqual(stored);
    expect(whole.originalText).toBe(all.map(({ original }) => original).join("\n"));
    expect(whole.translatedText).toBe(all.map(({ translated }) => translated).join("\n"));
    expect(whole.combinedContent?.slice(0, 2)).toEqual([
      { original: all[0]?.original, translated: all[0]?.translated, speaker: "1" },
      { original: all[1]?.original, translated: all[1]?.translated },
    ]);
    const bare = await account.trpc.lectures.get.query({ id, texts: false });
    expect([bare.originalText, "combinedContent" in bare]).toEqual(["", false]);
    expect(bare.entries).toEqual(stored);
  });

  it("answers pages that, joined, contain the lecture and its texts", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const all = Array.from({ length: 150 }, (_, n) => entry(`${n} ${"x".repeat(15_000)}`));
    for (const from of [0, 50, 100]) await append(account, id, from, all.slice(from, from + 50));
    const pages: LecturePage[] = [];
    let cursor: number | null = null;
    do {
      const page: LecturePage = await account.trpc.lectures.get.query({ id, cursor });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(
      numberRows(all).map((row) => ({ ...row, seq: 1 + Math.floor(row.ordinal / 50) })),
    );
    expect(pages.map(({ originalText }) => originalText).join("\n")).toBe(
      all.map(({ original }) => original).join("\n"),
    );
  });
});
