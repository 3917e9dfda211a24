import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { SecretLookups } from "#server/auth/secret-lookups.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const limit = 300;
const address = "address:192.0.2.1";
const minuteMs = 60_000;

let now: number;
/** Secrets that were looked up, in order. */
let queried: string[];
let counted: Map<string, number>;
let lookups: SecretLookups;

beforeEach(() => {
  now = 0;
  queried = [];
  counted = new Map();
  const limiter = {
    async allow(key: string) {
      const count = (counted.get(key) ?? 0) + 1;
      counted.set(key, count);
      return count <= limit;
    },
  };
  lookups = new SecretLookups(limiter, { now: () => new Date(now) });
});

/** Only secrets that begin with "good" exist. */
const find = (
  secret: string,
  from: string | null = address,
  kind: "session" | "share" = "session",
) =>
  lookups.find(kind, secret, from, async () => {
    queried.push(secret);
    return secret.startsWith("good") ? secret : null;
  });

async function guessUntilRefused(from = address): Promise<number> {
  for (let n = 0; n < 10 * limit; n += 1)
    try {
      await find(`guess ${n} of ${now}`, from);
    } catch {
      return n;
    }
  throw new Error("never refused");
}

describe("a secret that is unknown", () => {
  it("is looked up once in five minutes, by whomever, and in each table for itself", async () => {
    for (const from of [address, null, "address:192.0.2.2"])
      expect(await find("x", from)).toBeNull();
    expect(queried).toEqual(["x"]);
    await find("x", address, "share");
    expect(queried).toEqual(["x", "x"]);
    now = 300_000;
    await find("x");
    expect(queried).toEqual(["x", "x", "x"]);
  });

  it("counts for its address; beyond the limit none is looked up for a minute", async () => {
    expect(await guessUntilRefused()).toBe(limit + 1);
    expect(queried).toHaveLength(limit + 1);
    await expect(find("another")).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 60,
    });
    expect(await find("another", "address:192.0.2.2")).toBeNull();
    now = minuteMs;
    counted.clear();
    expect(await find("good newcomer")).toBe("good newcomer");
  });

  it("has few queries also when all guesses come at once", async () => {
    const guesses = Array.from({ length: 5_000 }, (_, n) => find(`guess ${n}`));
    const answers = await Promise.allSettled(guesses);
    expect(queried).toHaveLength(100);
    expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(4_900);
  });
});

describe("a secret that exists", () => {
  it("is not counted, and is looked up each time", async () => {
    for (let n = 0; n < 2 * limit; n += 1) await find(`good ${n % 2}`);
    expect(queried).toHaveLength(2 * limit);
    expect(counted.size).toBe(0);
  });

  it("goes on while somebody behind the same address guesses; a new one waits", async () => {
    await find("good old");
    await guessUntilRefused();
    expect(await find("good old")).toBe("good old");
    await expect(find("good new")).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("is limited like any other once it is gone", async () => {
    let isThere = true;
    const findIt = () => lookups.find("session", "s", address, async () => (isThere ? "it" : null));
    expect(await findIt()).toBe("it");
    isThere = false;
    expect(await findIt()).toBeNull();
    expect(counted.get(address)).toBe(1);
  });

  it("is found whatever else was asked for before, from an address within its limit", async () => {
    const secrets = fc.array(fc.constantFrom("good", "bad", "worse"), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(secrets, async (asked) => {
        for (const secret of asked)
          expect(await find(secret)).toBe(secret === "good" ? "good" : null);
      }),
      { numRuns: countRuns(100) },
    );
  });
});

it("a failed query is neither an unknown secret nor pending", async () => {
  const fail = () => lookups.find("session", "x", address, () => Promise.reject(new Error("down")));
  for (let n = 0; n < 200; n += 1) await expect(fail()).rejects.toThrow("down");
  expect(counted.size).toBe(0);
  expect(await find("x")).toBeNull();
  expect(queried).toEqual(["x"]);
});
