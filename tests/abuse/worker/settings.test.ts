import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { listProblems } from "#tests/worker/support/errors.ts";
import { productionSettings } from "#tests/worker/support/settings.ts";
import { app } from "#worker/http/app.ts";
import { isPrivateHost } from "#worker/private-network.ts";
import { rateLimitBindings } from "#worker/settings.ts";

const limits = Object.fromEntries(
  Object.values(rateLimitBindings).map((name) => [name, env[name]]),
);

const withSettings = (settings: Record<string, string>) =>
  listProblems({ ...limits, ...productionSettings, ...settings });

const services = {
  SONIOX_URL: ["ws", "wss"],
  DEEPGRAM_URL: ["ws", "wss"],
  LLM_BASE_URL: ["http", "https"],
  RESEND_URL: ["http", "https"],
  STRIPE_URL: ["http", "https"],
} as const;
const names = Object.keys(services) as (keyof typeof services)[];

describe("unencrypted connections", () => {
  it.each(names)("production refuses plain connections of %s to the internet", (name) => {
    const [plain, encrypted] = services[name];
    const rule = new RegExp(`^${name}: http: and ws: are not allowed`);
    const settings = { [name]: `${plain}://api.example.org/v1` };
    expect(withSettings(settings)).toEqual([expect.stringMatching(rule)]);
    expect(withSettings({ [name]: `${plain.toUpperCase()}://api.example.org/v1` })).toHaveLength(1);
    expect(withSettings({ ...settings, ALLOW_PRIVATE_NETWORK: "true" })).toEqual([
      expect.stringMatching(rule),
    ]);
    expect(withSettings({ [name]: `${encrypted}://api.example.org/v1` })).toEqual([]);
  });

  it.each(names)(
    "production accepts plain connections of %s to a private address if ALLOW_PRIVATE_NETWORK is set",
    (name) => {
      const settings = { [name]: `${services[name][0]}://10.1.2.3:11434/v1` };
      expect(withSettings(settings)).toHaveLength(1);
      expect(withSettings({ ...settings, ALLOW_PRIVATE_NETWORK: "false" })).toHaveLength(1);
      expect(withSettings({ ...settings, ALLOW_PRIVATE_NETWORK: "true" })).toEqual([]);
      expect(withSettings({ ALLOW_PRIVATE_NETWORK: "maybe" }).join()).toMatch(
        /^ALLOW_PRIVATE_NETWORK: /,
      );
    },
  );

  it.each(["http://dualect.example.org", "http://localhost", "http://10.1.2.3"])(
    "production refuses %s as its own address, whatever is set",
    (APP_ORIGIN) => {
      for (const ALLOW_PRIVATE_NETWORK of ["false", "true"])
        expect(withSettings({ APP_ORIGIN, ALLOW_PRIVATE_NETWORK })).toEqual([
          "APP_ORIGIN: must be https: in production",
        ]);
    },
  );
});

const hosts: Record<"private" | "public", string[]> = {
  private: [
    "localhost",
    "model.localhost",
    "nas.local",
    "gpu.corp.internal",
    "gpu.internal.",
    "127.0.0.1",
    "127.255.0.9",
    "0x7f.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.20",
    "100.64.0.1",
    "100.127.255.255",
    "[::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
  ],
  public: [
    "example.org",
    "localhost.example.org",
    "local",
    "internal",
    "10.0.0.1.example.org",
    "fd00.example.org",
    "nas.local.example.org",
    "mylocalhost",
    "127.0.0.1.nip.io",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "192.169.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "[fe80::1]",
    "[2001:db8::1]",
    "[::ffff:8.8.8.8]",
    "[fb00::1]",
  ],
};
for (const [kind, list] of Object.entries(hosts))
  it.each(list)(`%s is a ${kind} host`, (host) => {
    const { hostname } = new URL(`http://${host}/`);
    expect(isPrivateHost(hostname)).toBe(kind === "private");
  });

describe("missing rate limit bindings", () => {
  it.each(Object.values(rateLimitBindings))(
    "keep a worker without %s from starting",
    async (name) => {
      const { [name]: _, ...others } = { ...env };
      const bindings = others as Cloudflare.Env;
      expect(listProblems(bindings)).toEqual([`${name}: not bound`]);
      const answer = await app.request("https://dualect.test/trpc/site.info", {}, bindings);
      expect(answer.status).toBe(500);
    },
  );

  it("are all named at once", () => {
    expect(listProblems(productionSettings)).toEqual(
      Object.values(rateLimitBindings).map((name) => `${name}: not bound`),
    );
  });
});
