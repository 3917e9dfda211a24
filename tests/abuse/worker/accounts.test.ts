import { env } from "cloudflare:test";
import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyCounters } from "#drizzle/schema.ts";
import { listAddressUses } from "#server/address-daily-limits.ts";
import { appRouter } from "#server/app-router.ts";
import type { Context } from "#server/context.ts";
import { spendBudgets } from "#server/daily-budget.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { createFakeContext } from "#tests/unit/server/support/fake-context.ts";
import { createCredentials, openBrowser } from "#tests/worker/support/browser.ts";
import { getErrorData } from "#tests/worker/support/errors.ts";
import { getAddressKey, getNetworkKey } from "#worker/http/middleware/address.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const createCaller = createCallerFactory(appRouter);

/** A /48 of one test; `at(subnet, host)` is one of its addresses. */
const newNetwork = () => {
  const [low, high] = crypto.getRandomValues(new Uint16Array(2));
  const prefix = `2001:${low?.toString(16)}:${high?.toString(16)}`;
  return (subnet: number, host = 1) => `${prefix}:${subnet.toString(16)}::${host.toString(16)}`;
};

/** The procedures as called from `address`, without limits per minute. */
function createCallFrom(address: string, over: Partial<Context> = {}) {
  const request = new Request("https://dualect.test", { headers: { "cf-connecting-ip": address } });
  const keys = { addressKey: getAddressKey(request), networkKey: getNetworkKey(request) };
  const fake = createFakeContext(db, { ...keys, ...over });
  return { ...fake, call: createCaller(fake.context) };
}

/** Sets today's counters of `address` and its range to `amount`. */
async function spendBefore(
  address: string,
  what: Parameters<typeof listAddressUses>[1],
  amount: number,
  over: Partial<Context> = {},
): Promise<void> {
  const { context } = createCallFrom(address, over);
  const uses = listAddressUses(context, what);
  await spendBudgets(
    context,
    uses.map((use) => ({ ...use, amount, limit: 1_000_000 })),
  );
}

/** The site's counter on the day of the fake contexts' clock. */
async function readSiteUse(what: "accounts" | "mails"): Promise<number> {
  const ofDay = eq(dailyCounters.day, "2026-11-20");
  const [row] = await db
    .select({ amount: dailyCounters.amount })
    .from(dailyCounters)
    .where(and(ofDay, eq(dailyCounters.key, `${what}:site`)));
  return row?.amount ?? 0;
}

const { settings } = createFakeContext(db).context;
/** Settings that leave the site `left` of its daily budget. */
const withSiteLimit = async (what: "accounts" | "mails", left: number) => ({
  settings: {
    ...settings,
    dailyLimits: { ...settings.dailyLimits, [what]: (await readSiteUse(what)) + left },
  },
});

const getFailureCause = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no error",
    (error) => error.cause?.code ?? String(error),
  );

/** The outcome of a sign-up from `address`. */
const signUpFrom = (
  address: string,
  credentials = createCredentials(),
  over: Partial<Context> = {},
) => getFailureCause(createCallFrom(address, over).call.auth.signUp(credentials));

/** Counts each outcome. */
function count(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function repeat(times: number, call: (n: number) => Promise<string>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let n = 0; n < times; n += 1) outcomes.push(await call(n));
  return outcomes;
}

describe("new accounts", () => {
  it("refuses sign-ups from a /48 after 400 a day", async () => {
    const at = newNetwork();
    for (const half of [0, 1]) await spendBefore(at(half), "accounts", 195);
    const outcomes = await repeat(30, (n) => signUpFrom(at(n + 2)));
    expect(count(outcomes)).toEqual({ "no error": 10, daily_limit_reached: 20 });
    expect(await signUpFrom(newNetwork()(1))).toBe("no error");
  });

  it("accepts 200 sign-ups a day from one address", async () => {
    const address = newNetwork()(1);
    await spendBefore(address, "accounts", 195);
    const outcomes = await repeat(10, () => signUpFrom(address));
    expect(count(outcomes)).toEqual({ "no error": 5, daily_limit_reached: 5 });
  });

  it("refuses sign-ups beyond the site's limit from any address", async () => {
    const limited = await withSiteLimit("accounts", 3);
    const outcomes = await repeat(10, () =>
      signUpFrom(newNetwork()(1), createCredentials(), limited),
    );
    expect(count(outcomes)).toEqual({ "no error": 3, daily_limit_reached: 7 });
  });

  it("counts a sign-up for an existing account for the caller, not for the site", async () => {
    const existing = createCredentials();
    await createCallFrom(newNetwork()(1)).call.auth.signUp(existing);
    const before = await readSiteUse("accounts");
    const address = newNetwork()(1);
    await spendBefore(address, "accounts", 195);
    const outcomes = await repeat(10, () => signUpFrom(address, existing));
    expect(count(outcomes)).toEqual({ email_in_use: 5, daily_limit_reached: 5 });
    expect(await readSiteUse("accounts")).toBe(before);
  });

  it("counts no account that could not be created", async () => {
    const address = newNetwork()(1);
    await spendBefore(address, "accounts", 199);
    const { context, call } = createCallFrom(address);
    const { hash } = context.hasher;
    context.hasher.hash = () => Promise.reject(new Error("no memory"));
    expect(await getFailureCause(call.auth.signUp(createCredentials()))).not.toBe("no error");
    context.hasher.hash = hash;
    expect(await getFailureCause(call.auth.signUp(createCredentials()))).toBe("no error");
    expect(await getFailureCause(call.auth.signUp(createCredentials()))).toBe(
      "daily_limit_reached",
    );
  });

  it("stores no network address and no e-mail address in the counters", async () => {
    const credentials = createCredentials();
    const address = newNetwork()(0xbeef);
    await createCallFrom(address).call.auth.signUp(credentials);
    const rows = await db.select({ key: dailyCounters.key }).from(dailyCounters);
    const keys = rows.map(({ key }) => key).join("\n");
    expect(keys).toContain("accounts:network:");
    expect(keys).not.toContain(address.split("::")[0]);
    expect(keys).not.toContain(credentials.email);
  });

  it("answers over HTTP with the seconds until midnight UTC", async () => {
    const at = newNetwork();
    const now = new Date();
    const { guestTicketSecret } = getServices(env).env;
    const here = {
      settings: { ...settings, guestTicketSecret },
      clock: { now: () => now },
    };
    for (const half of [0, 1]) await spendBefore(at(half), "accounts", 200, here);
    const { trpc } = openBrowser({ "cf-connecting-ip": at(2) });
    const refusal = await getErrorData(trpc.auth.signUp.mutate(createCredentials()));
    expect(refusal).toMatchObject({ appCode: "daily_limit_reached", httpStatus: 429 });
    const left = 86_400 - (now.getTime() % 86_400_000) / 1_000;
    expect(Math.abs(Number(refusal.retryAfterSeconds) - left)).toBeLessThan(60);
  });
});

describe("guests' tickets", () => {
  it("limits an address's new tickets to 300 a day, but not renewals", async () => {
    const address = newNetwork()(1);
    const { call } = createCallFrom(address);
    const first = await call.recording.guestTicket({ previous: null });
    await spendBefore(address, "guestTickets", 294);
    const renew = () => call.recording.guestTicket({ previous: first.ticket });
    expect(count(await repeat(20, () => getFailureCause(renew())))).toEqual({ "no error": 20 });
    const fresh = await repeat(10, () =>
      getFailureCause(call.recording.guestTicket({ previous: null })),
    );
    expect(count(fresh)).toEqual({ "no error": 5, guest_allowance_exhausted: 5 });
    expect((await renew()).recordingId).toBe(first.recordingId);
    const forged = call.recording.guestTicket({ previous: `${first.ticket}x` });
    expect(await getFailureCause(forged)).toBe("guest_allowance_exhausted");
  });

  it("limits a /48's new tickets to 600 a day", async () => {
    const at = newNetwork();
    for (const half of [0, 1]) await spendBefore(at(half), "guestTickets", 295);
    const outcomes = await repeat(20, (n) =>
      getFailureCause(createCallFrom(at(n + 2)).call.recording.guestTicket({ previous: null })),
    );
    expect(count(outcomes)).toEqual({ "no error": 10, guest_allowance_exhausted: 10 });
  });
});

describe("mails", () => {
  it("limits the mails that an address triggers to 300 a day, with and without an account", async () => {
    const known = createCredentials();
    await createCallFrom(newNetwork()(1)).call.auth.signUp(known);
    for (const { email } of [known, createCredentials()]) {
      const address = newNetwork()(1);
      await spendBefore(address, "mails", 295);
      const { call, background } = createCallFrom(address);
      const outcomes = await repeat(10, () => getFailureCause(call.auth.forgotPassword({ email })));
      await Promise.all(background);
      expect(count(outcomes)).toEqual({ "no error": 5, daily_limit_reached: 5 });
    }
  });

  it("sends an account at most 20 links a day, and answers the same beyond that", async () => {
    const { email } = createCredentials();
    const { call } = createCallFrom(newNetwork()(1));
    // The confirmation is the first of the 20.
    expect((await call.auth.signUp({ email, password: "secret!" })).mailSent).toBe(true);
    const sent: string[] = [];
    // The hourly limit of five would permit 30 mails in six hours.
    for (let hour = 0; hour < 6; hour += 1) {
      const clock = { now: () => new Date(Date.UTC(2026, 10, 20, 13 + hour)) };
      const asking = createCallFrom(newNetwork()(1), { clock });
      for (let n = 0; n < 5; n += 1) {
        expect(await getFailureCause(asking.call.auth.forgotPassword({ email }))).toBe("no error");
        await Promise.all(asking.background);
      }
      sent.push(...asking.mails.map(({ to }) => to));
    }
    expect(sent).toEqual(Array(19).fill(email));
  });

  it("sends no mails beyond the site's limit, and answers the same", async () => {
    const accounts = [createCredentials(), createCredentials(), createCredentials()];
    for (const one of accounts) await createCallFrom(newNetwork()(1)).call.auth.signUp(one);
    const limited = await withSiteLimit("mails", 2);
    const { call, background, mails } = createCallFrom(newNetwork()(1), limited);
    for (const { email } of accounts) {
      expect(await getFailureCause(call.auth.forgotPassword({ email }))).toBe("no error");
      await Promise.all(background);
    }
    expect(mails.map(({ to }) => to)).toEqual(accounts.slice(0, 2).map(({ email }) => email));
    // The account is created without its mail.
    expect((await call.auth.signUp(createCredentials())).mailSent).toBe(false);
  });
});
