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

// What else production needs, and what takes the place of a key: tests/worker/env.test.ts.
it("needs nothing but the ticket secret on the embedded stack", () => {
  const missing = (set: SettingName[]) =>
    listMissingSettings((name) => set.includes(name), "development");
  expect(missing(["LOCAL_STACK_URL"])).toEqual(["GUEST_TICKET_SECRET"]);
  expect(missing(["LOCAL_STACK_URL", "RESEND_URL"])).toEqual([
    "RESEND_API_KEY",
    "MAIL_FROM",
    "GUEST_TICKET_SECRET",
  ]);
});
