import { expect, it } from "vitest";
import { createEntry } from "#tests/worker/sharing/support.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { accountPace, PacedAccountCalls } from "#worker/adapters/account-calls.ts";

const { burst } = accountPace;
const waiting = accountPace.maxWaitMs / accountPace.intervalMs;
/** The calls that may start until now, including those during the flood. */
const countTurnsSince = (start: number) =>
  burst + waiting + Math.ceil((Date.now() - start) / accountPace.intervalMs);

it("refuses an account's calls beyond its rate, and answers another account meanwhile", async () => {
  const [hostile, honest] = [await openSignedIn(), await openSignedIn()];
  const start = Date.now();
  const flood = Array.from({ length: 2 * burst }, () =>
    hostile.browser.fetch("/trpc/folders.list"),
  );
  const answered = await honest.browser.fetch("/trpc/folders.list");
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(answered.status).toBe(200);
  const accepted = statuses.filter((status) => status === 200).length;
  expect(accepted).toBeGreaterThanOrEqual(burst);
  expect(accepted).toBeLessThanOrEqual(countTurnsSince(start));
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - accepted);
});

it("refuses a rate-limited credential without reading its session, and no other credential", async () => {
  let now = 0;
  const pace = new PacedAccountCalls(() => now);
  const turns = Array.from({ length: burst + waiting + 1 }, () =>
    pace.waitForStart("user", "cookie", 1),
  );
  await expect(turns.at(-1)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 2 });
  expect(() => pace.checkCredential("cookie")).toThrow("rate_limited");
  pace.checkCredential("another cookie");
  now = accountPace.maxWaitMs;
  pace.checkCredential("cookie");
  const states = (await Promise.allSettled(turns)).map(({ status }) => status);
  expect(states.filter((status) => status === "fulfilled")).toHaveLength(burst + waiting);
});

it.each([",", "%2C", "%2c"])("counts each call of a batch, separated by %s", async (comma) => {
  const { browser } = await openSignedIn();
  const path = Array(10).fill("folders.list").join(comma);
  const start = Date.now();
  const batches = Array.from({ length: 20 }, () =>
    browser.fetch(`/trpc/${path}?batch=1&input=%7B%7D`),
  );
  const statuses = (await Promise.all(batches)).map(({ status }) => status);
  const accepted = statuses.filter((status) => status === 200).length;
  expect(accepted).toBeGreaterThanOrEqual(burst / 10);
  expect(10 * (accepted - 1)).toBeLessThanOrEqual(countTurnsSince(start));
});

it("counts a long answer as several calls", async () => {
  const { browser, trpc } = await openSignedIn();
  const lectureId = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id: lectureId, title: "Long", targetLanguage: "none" });
  const entries = Array.from({ length: 100 }, (_, ordinal) =>
    createEntry("x".repeat(8_000), ordinal, { ordinal }),
  );
  await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  const input = encodeURIComponent(JSON.stringify({ id: lectureId, texts: false }));
  const gets = Array.from({ length: 24 }, () => browser.fetch(`/trpc/lectures.get?input=${input}`));
  const statuses = (await Promise.all(gets)).map(({ status }) => status);
  expect(statuses).toContain(200);
  const next = await browser.fetch("/trpc/folders.list");
  expect(next.status).toBe(429);
});
