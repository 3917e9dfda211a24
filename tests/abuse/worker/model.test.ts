import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyCounters } from "#drizzle/schema.ts";
import { dailyCharacters, networkDailyCharacters } from "#server/ai/model-budget.ts";
import { signGuestTicket } from "#server/recording/guest-ticket.ts";
import { hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { guestTicketHeader } from "#shared/site.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { storeLecture } from "#tests/worker/ai/support.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { waitForWindow } from "#tests/worker/support/limits.ts";
import { readEnv } from "#worker/env.ts";
import { getServices } from "#worker/services.ts";

const { guestTicketSecret } = readEnv(env);
const { db } = getServices(env);

type Browser = Pick<ReturnType<typeof openBrowser>, "fetch">;

/** A guest with a new ticket. */
async function openGuest(address: string) {
  const expiresAt = new Date(Date.now() + 60_000);
  const ticket = signGuestTicket(guestTicketSecret, {
    recordingId: crypto.randomUUID(),
    expiresAt,
  });
  return openBrowser({ [guestTicketHeader]: ticket, "cf-connecting-ip": address });
}

const short = { text: "Hello.", targetLanguage: "fr", context: "", wordContext: "" };
/** The longest text of one call. */
const long = {
  text: "a word ".repeat(714),
  targetLanguage: "fr",
  context: "b word ".repeat(1_428),
  wordContext: "c word ".repeat(1_428),
};

/** Result codes of `count` translations in one batch; `ok` for a success. */
async function translate(browser: Browser, input: object, count = 1): Promise<string[]> {
  const response = await browser.fetch(
    `/trpc/${Array(count).fill("ai.translate").join()}?batch=1`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Object.fromEntries(Array(count).fill(input).entries())),
    },
  );
  const answers: { error?: { data: { appCode: string } } }[] = await response.json();
  return answers.map(({ error }) => error?.data.appCode ?? "ok");
}

const count = (codes: string[], code: string) => codes.filter((one) => one === code).length;
const today = () => new Date().toISOString().slice(0, 10);
const setUsed = (key: string, amount: number) =>
  db.insert(dailyCounters).values({ day: today(), key, amount });
const used = async (key: string) =>
  (await db.select().from(dailyCounters).where(eq(dailyCounters.key, key)))[0]?.amount;
const networkKey = async (network: string) =>
  `model:network:${hashGuestAddress(guestTicketSecret, `network:${network}`)}`;
const addressKey = async (address: string) =>
  `model:address:${hashGuestAddress(guestTicketSecret, `address:${address}`)}`;

describe("a guest's address", () => {
  it("gets 240 translations a minute, even with a new ticket for each", async () => {
    const address = "192.0.2.10";
    await waitForWindow(15);
    expect(await translate(await openGuest(address), short, 10)).toEqual(Array(10).fill("ok"));
    for (let used = 10; used < 235; used += 1)
      await env.LIMIT_TRANSLATIONS.limit({ key: `address:${address}` });
    const codes = await translate(await openGuest(address), short, 10);
    expect(codes.toSorted()).toEqual([...Array(5).fill("ok"), ...Array(5).fill("rate_limited")]);
    expect(await translate(await openGuest("192.0.2.11"), short)).toEqual(["ok"]);
  });

  it("gets the daily base of characters without a recording, with any number of tickets", async () => {
    const address = "192.0.2.20";
    const codes: string[] = [];
    for (let ticket = 0; ticket < 3; ticket += 1)
      codes.push(...(await translate(await openGuest(address), long, 10)));
    expect(count(codes, "ok")).toBe(9);
    expect(count(codes, "model_budget_exhausted")).toBe(21);
    expect(await used(await addressKey(address))).toBeLessThanOrEqual(dailyCharacters.guest);
    expect(await translate(await openGuest("192.0.2.21"), long)).toEqual(["ok"]);
  });

  it("is a /64 for IPv6, and a /48 has a daily budget, too", async () => {
    await setUsed(await addressKey("2001:db8:7:1"), dailyCharacters.guest);
    for (const host of ["::1", "::2", ":ffff::9"])
      expect(await translate(await openGuest(`2001:db8:7:1${host}`), short)).toEqual([
        "model_budget_exhausted",
      ]);
    expect(await translate(await openGuest("2001:db8:7:2::1"), short)).toEqual(["ok"]);

    await setUsed(await networkKey("2001:db8:8"), networkDailyCharacters);
    for (let neighbour = 1; neighbour <= 5; neighbour += 1)
      expect(await translate(await openGuest(`2001:db8:8:${neighbour}::1`), short)).toEqual([
        "model_budget_exhausted",
      ]);
    expect(await translate(await openGuest("2001:db8:9:1::1"), short)).toEqual(["ok"]);
  });
});

describe("an account that records nothing", () => {
  it("is refused when the daily base is used up", async () => {
    const { browser, user } = await openSignedIn();
    const key = `model:user:${user.id}`;
    await setUsed(key, dailyCharacters.free - 100_000);
    const codes = await translate(browser, long, 10);
    expect(count(codes, "ok")).toBe(3);
    expect(count(codes, "model_budget_exhausted")).toBe(7);
    expect(await used(key)).toBeLessThanOrEqual(dailyCharacters.free);
  });

  it("pays for summaries by the length of the stored lecture, and cannot summarise other text", async () => {
    const { browser, trpc, user } = await openSignedIn();
    const input = {
      lectureId: await storeLecture(trpc, "A word and another. ".repeat(5_000)),
      targetLanguage: "fr",
    } as const;
    const key = `model:user:${user.id}`;
    await setUsed(key, dailyCharacters.free - 400_000);
    const { failure } = await readPieces(await trpc.ai.summarize.mutate(input));
    expect(failure).toBeNull();
    // 1.5 times the text, and the answer.
    expect(await used(key)).toBeGreaterThan(dailyCharacters.free - 400_000 + 155_000);
    expect(await getErrorCode(trpc.ai.summarize.mutate(input))).toBe("no error");
    expect(await getErrorCode(trpc.ai.summarize.mutate(input))).toBe("model_budget_exhausted");

    const response = await browser.fetch("/trpc/ai.summarize?batch=1", {
      method: "POST",
      headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
      body: JSON.stringify({ 0: { text: "Any text.", targetLanguage: "fr" } }),
    });
    expect(await response.text()).toContain('"appCode":"validation_failed"');
  });

  it("cannot overdraw with twelve concurrent calls", async () => {
    const { browser, trpc, user } = await openSignedIn();
    const key = `model:user:${user.id}`;
    await trpc.ai.translate.mutate({ ...short, targetLanguage: "fr" });
    const cost = Number(await used(key));
    await db
      .update(dailyCounters)
      .set({ amount: dailyCharacters.free - 3 * cost })
      .where(eq(dailyCounters.key, key));
    const calls = Array.from({ length: 12 }, () => translate(browser, short));
    const codes = (await Promise.all(calls)).flat();
    expect(count(codes, "ok")).toBe(3);
    expect(count(codes, "model_budget_exhausted")).toBe(9);
    expect(await used(key)).toBe(dailyCharacters.free);
  });
});
