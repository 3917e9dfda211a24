import { SELF } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { dummyPasswordHash } from "#server/auth/secrets.ts";
import { createCredentials, openBrowser, origin } from "#tests/worker/support/browser.ts";
import { getErrorData } from "#tests/worker/support/errors.ts";
import { createPasswordHasher, hashPace } from "#worker/adapters/password-hasher.ts";

const wrong = () => ({ ...createCredentials(), password: "wrong horse" });

describe("the memory of password hashes", () => {
  it("does not grow over twenty hashes", async () => {
    const memories = new Set<WebAssembly.Memory>();
    function note(instance: WebAssembly.Instance) {
      memories.add(instance.exports.memory as WebAssembly.Memory);
      return instance;
    }
    const { Instance, instantiate } = WebAssembly;
    const instances = vi
      .spyOn(WebAssembly, "Instance")
      // biome-ignore lint/complexity/useArrowFunction: it is called with new
      .mockImplementation(function (module, imports) {
        return note(new Instance(module, imports));
      });
    const instantiations = vi
      .spyOn(WebAssembly, "instantiate")
      .mockImplementation(async (module, imports) => note(await instantiate(module, imports)));
    try {
      // Half a second passes between two hashes.
      vi.useFakeTimers({ toFake: ["Date"] });
      const hasher = createPasswordHasher();
      const phc = await hasher.hash("correct horse");
      const bytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      const before = bytes();
      expect(before).toBeGreaterThan(19 * 2 ** 20);
      for (let n = 1; n < 20; n += 1) {
        vi.advanceTimersByTime(hashPace.intervalMs);
        expect(await hasher.verify(phc, n % 2 ? "correct horse" : "wrong")).toBe(n % 2 === 1);
      }
      expect(bytes()).toBe(before);
      expect(before).toBeLessThan(24 * 2 ** 20);
    } finally {
      vi.useRealTimers();
      instances.mockRestore();
      instantiations.mockRestore();
    }
  });
});

describe("sign-ins in batches", () => {
  it("hash at most four passwords of one request", async () => {
    const { trpc } = openBrowser();
    const refusals = await Promise.all(
      Array.from({ length: 10 }, () => getErrorData(trpc.auth.signIn.mutate(wrong()))),
    );
    const codes = refusals.map(({ appCode }) => appCode);
    expect(codes.filter((code) => code === "credentials_invalid")).toHaveLength(4);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(6);
  });

  it("leave time for other requests between two hashes, and are refused if they would wait too long", async () => {
    const hasher = createPasswordHasher();
    const settled: string[] = [];
    const attempts = Array.from({ length: 40 }, async () => {
      const verified = await hasher.verify(dummyPasswordHash, "guess");
      settled.push("hash");
      return verified;
    });
    // A request that needs nothing but this thread.
    const answer = SELF.fetch(`${origin}/api/nothing`).then(({ status }) =>
      settled.push(`answer ${status}`),
    );
    const outcomes = await Promise.allSettled(attempts);
    await answer;
    const places = hashPace.burst + hashPace.maxWaitMs / hashPace.intervalMs;
    const [verified, refused] = [outcomes.slice(0, places), outcomes.slice(places)];
    for (const outcome of verified) expect(outcome).toEqual({ status: "fulfilled", value: false });
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { code: "unavailable", retryAfterSeconds: 4 } });
    // It was answered before the last hash; each hash blocks the thread.
    expect(settled.slice(0, places - 1)).toContain("answer 404");
  });
});
