import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import {
  listMissingSettings,
  rateLimitBindings,
  type SettingName,
  settingNames,
} from "#worker/settings.ts";

const config = unstable_readConfig({ config: "wrangler.toml" });
const limits: { name: string; namespace_id: string }[] = config.ratelimits;

describe("wrangler.toml", () => {
  it("binds each rate limit that the worker asks, once and with a namespace of its own", () => {
    const bound = limits.map(({ name }) => name);
    expect(bound.sort()).toEqual(Object.values(rateLimitBindings).sort());
    const namespaces = limits.map(({ namespace_id }) => namespace_id);
    expect(new Set(namespaces).size).toBe(namespaces.length);
  });

  it("gives the site no second address, and its source maps to Cloudflare", () => {
    expect(config).toMatchObject({
      workers_dev: false,
      preview_urls: false,
      upload_source_maps: true,
    });
  });
});

it("docs/deploy.md names every setting of production", () => {
  const local: SettingName[] = ["APP_ENV", "LOCAL_STACK_URL", "BILLING_MODE", "SPEECH"];
  const page = readFileSync("docs/deploy.md", "utf8");
  const missing = settingNames.filter(
    (name) => !local.includes(name) && !page.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

describe("listMissingSettings", () => {
  const missing = (set: SettingName[], appEnv: "production" | "development" = "production") =>
    listMissingSettings((name) => set.includes(name), appEnv);

  it("lists everything that production needs", () => {
    const all = missing([]);
    for (const name of ["DATABASE_URL", "APP_ORIGIN", "STRIPE_PRO_PRODUCT", "GUEST_TICKET_SECRET"])
      expect(all).toContain(name);
    expect(missing(all)).toEqual([]);
  });

  it("takes an address in place of a model's key", () => {
    const needed = missing([]).filter((name) => name !== "LLM_API_KEY");
    expect(missing(needed)).toEqual(["LLM_API_KEY"]);
    expect(missing([...needed, "LLM_BASE_URL"])).toEqual([]);
  });

  it.each(["DEEPGRAM_API_KEY", "DEEPGRAM_URL"] as const)(
    "takes %s in place of Soniox's key",
    (name) => {
      const needed = missing([]).filter((setting) => setting !== "SONIOX_API_KEY");
      expect(missing(needed)).toEqual(["SONIOX_API_KEY"]);
      expect(missing([...needed, name])).toEqual([]);
    },
  );

  it("needs nothing but the ticket secret on the embedded stack", () => {
    expect(missing(["LOCAL_STACK_URL"], "development")).toEqual(["GUEST_TICKET_SECRET"]);
    expect(missing(["LOCAL_STACK_URL", "RESEND_URL"], "development")).toEqual([
      ...["RESEND_API_KEY", "MAIL_FROM", "GUEST_TICKET_SECRET"],
    ]);
  });
});
