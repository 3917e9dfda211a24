import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPublicNames } from "#worker/adapters/public-names.ts";
import { leadsToPublic } from "#worker/adapters/resolve-name.ts";
import { createWebhookSender } from "#worker/adapters/webhook-sender.ts";

const message = { headers: { "webhook-id": "1" }, body: "{}" };
const url = "https://hooks.example.org/";
const siteOrigin = "https://dualect.example.com";

const fetch = vi.fn<typeof globalThis.fetch>();
beforeEach(() => {
  fetch.mockReset();
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => void vi.unstubAllGlobals());

/** The addresses that were fetched. */
const listFetched = () => fetch.mock.calls.map(([input]) => String(input));

describe("the sender", () => {
  const sender = createWebhookSender({ siteOrigin, isPublicName: createPublicNames(null) });

  it("follows no redirect, and leaves the answer unread", async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_024)),
      cancel: () => {
        isCancelled = true;
      },
    });
    fetch.mockResolvedValue(new Response(body, { status: 302, headers: { location: "http://x" } }));
    expect(await sender.post(url, message)).toBe(302);
    expect(isCancelled).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      method: "POST",
      redirect: "manual",
      body: "{}",
      headers: { "webhook-id": "1", "content-type": "application/json" },
    });
    expect(fetch.mock.calls[0]?.[1]?.signal).toBeInstanceOf(AbortSignal);
  });

  it("reports that nobody answers", async () => {
    fetch.mockRejectedValue(new TypeError("no route"));
    expect(await sender.post(url, message)).toBeNull();
  });

  it.each([
    "https://x.svc/",
    "https://127.0.0.1/",
    "https://hooks.example.org:22/",
    "http://hooks.example.org/",
    `${siteOrigin}/trpc`,
  ])("sends nothing to %s, which was stored before the rule", async (stored) => {
    expect(await sender.isAllowed(stored)).toBe(false);
    expect(await sender.post(stored, message)).toBeNull();
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([false, null])(
    "sends nothing where the name's addresses are public: %s",
    async (isPublic) => {
      const careful = createWebhookSender({ siteOrigin, isPublicName: async () => isPublic });
      expect(await careful.isAllowed(url)).toBe(isPublic);
      expect(await careful.post(url, message)).toBeNull();
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  it("asks again where a name leads after a minute, and after a bad answer at once", async () => {
    let now = 0;
    const answers = [false, true, false];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return answers.shift() ?? null;
    };
    const isPublicName = createPublicNames(resolve, () => now);
    const careful = createWebhookSender({ siteOrigin, isPublicName });
    fetch.mockImplementation(async () => new Response(null, { status: 204 }));
    const results: (number | null)[] = [];
    for (const at of [0, 1, 60_000, 60_001]) {
      now = at;
      results.push(await careful.post(url, message));
    }
    expect(results).toEqual([null, 204, 204, null]);
    expect(asked).toEqual(Array(3).fill("hooks.example.org"));
  });
});

describe("a name", () => {
  /** A resolver that knows these records of the types A and AAAA. */
  const answer = (records: { A?: object[]; AAAA?: object[] }, Status = 0) =>
    fetch.mockImplementation(async (input) => {
      const type = new URL(String(input)).searchParams.get("type") as "A" | "AAAA";
      return Response.json({ Status, ...(records[type] && { Answer: records[type] }) });
    });
  const a = (data: string) => ({ name: "x", type: 1, TTL: 60, data });
  const aaaa = (data: string) => ({ name: "x", type: 28, TTL: 60, data });
  const cname = { name: "x", type: 5, TTL: 60, data: "other.example.net." };

  it("leads to public addresses if all of both kinds are, behind whatever names", async () => {
    answer({
      A: [cname, a("93.184.216.34"), a("1.1.1.1")],
      AAAA: [cname, aaaa("2606:4700::1111")],
    });
    expect(await leadsToPublic("hooks.example.org")).toBe(true);
    expect(listFetched()).toEqual(
      ["A", "AAAA"].map(
        (type) => `https://cloudflare-dns.com/dns-query?name=hooks.example.org&type=${type}`,
      ),
    );
    answer({ A: [a("1.1.1.1")] });
    expect(await leadsToPublic("hooks.example.org")).toBe(true);
  });

  it.each<[string, Parameters<typeof answer>]>([
    ["one address is private", [{ A: [a("1.1.1.1"), a("10.0.0.8")] }]],
    ["it names the machine itself", [{ A: [a("127.0.0.1")] }]],
    ["its address of the other kind is private", [{ A: [a("1.1.1.1")], AAAA: [aaaa("fd00::1")] }]],
    ["it has no address", [{ A: [cname] }]],
    ["it does not exist", [{}, 3]],
  ])("does not if %s", async (_, records) => {
    answer(...records);
    expect(await leadsToPublic("hooks.example.org")).toBe(false);
  });

  it("is not known if the resolver fails, or answers what nobody can read", async () => {
    answer({}, 2);
    expect(await leadsToPublic("hooks.example.org")).toBeNull();
    for (const body of ["<html>", "{}", "null"]) {
      fetch.mockImplementation(async () => new Response(body));
      expect(await leadsToPublic("hooks.example.org")).toBeNull();
    }
    fetch.mockRejectedValue(new TypeError("no route"));
    expect(await leadsToPublic("hooks.example.org")).toBeNull();
  });
});
