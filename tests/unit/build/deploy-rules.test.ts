import { describe, expect, it, vi } from "vitest";
import {
  checkSettings,
  DeployError,
  findDifference,
  parseSecretNames,
  parseVersionId,
  waitUntilLive,
} from "#build/deploy-rules.ts";
import { productionSettings } from "#tests/worker/support/settings.ts";

const origin = "https://dualect.example.org";
const secrets = Object.keys(productionSettings);
const environment = { DATABASE_URL: "postgresql://secret-of-mine", APP_ORIGIN: origin };

const getMessage = (settings: Partial<Parameters<typeof checkSettings>[0]>): string => {
  try {
    checkSettings({ secrets, vars: {}, environment, ...settings });
    return "";
  } catch (error) {
    if (error instanceof DeployError) return error.message;
    throw error;
  }
};

describe("checkSettings", () => {
  it("returns the site's origin when all settings exist", () => {
    expect(checkSettings({ secrets, vars: {}, environment })).toMatchObject({ origin });
  });

  it("accepts a value in wrangler.toml instead of a secret", () => {
    const { APP_ORIGIN: _, ...others } = environment;
    const vars = { APP_ORIGIN: origin, LLM_MODEL: "model" };
    const rest = secrets.filter((name) => !(name in vars));
    expect(checkSettings({ secrets: rest, vars, environment: others })).toMatchObject({ origin });
  });

  it("takes the source of models from the environment, or from wrangler.toml", () => {
    const hub = "https://huggingface.co";
    const vars = { SPEECH_MODEL_URL: "/models" };
    const SPEECH_MODEL_URL = "https://hub.example.org";
    const read = (settings: object) =>
      checkSettings({ secrets, vars: {}, environment, ...settings }).modelUrl;
    expect(read({})).toBe(hub);
    expect(read({ vars })).toBe("/models");
    expect(read({ vars, environment: { ...environment, SPEECH_MODEL_URL } })).toBe(
      SPEECH_MODEL_URL,
    );
  });

  it("refuses a source of models that is malformed or a secret", () => {
    const SPEECH_MODEL_URL = "http://hub.example.org";
    expect(getMessage({ environment: { ...environment, SPEECH_MODEL_URL } })).toBe(
      "SPEECH_MODEL_URL: must be https:",
    );
    expect(getMessage({ secrets: [...secrets, "SPEECH_MODEL_URL"] })).toMatch(/is no secret/);
  });

  it.each(secrets)("says how to set %s when it is missing", (name) => {
    const message = getMessage({ secrets: secrets.filter((other) => other !== name) });
    expect(message).toContain(`npm run wrangler -- secret put ${name}`);
    expect(message.match(/secret put/g)).toHaveLength(1);
    expect(message).not.toContain(environment.DATABASE_URL);
  });

  it("requires the database and the site's address in the environment", () => {
    expect(getMessage({ environment: { APP_ORIGIN: origin } })).toMatch(/^DATABASE_URL is missing/);
    for (const APP_ORIGIN of [undefined, "http://dualect.example.org", `${origin}/`])
      expect(getMessage({ environment: { ...environment, APP_ORIGIN } })).toMatch(/^APP_ORIGIN/);
  });
});

it("parses the names of secrets in wrangler's output", () => {
  expect(parseSecretNames('[{"name":"A","type":"secret_text"},{"name":"B"}]')).toEqual(["A", "B"]);
  for (const printed of ["Opening a link in your browser", "{}"])
    expect(() => parseSecretNames(printed)).toThrow(DeployError);
});

it("parses the version in wrangler's output file", () => {
  const session = JSON.stringify({ type: "wrangler-session", version: 1 });
  const deploy = JSON.stringify({ type: "deploy", version: 1, version_id: "v2" });
  expect(parseVersionId(`${session}\n${deploy}\n`)).toBe("v2");
  expect(() => parseVersionId(`${session}\n`)).toThrow(DeployError);
});

const release = { workerVersion: "v2", pageVersion: "p2" };
const live = { health: { status: 200, body: { status: "ok", version: "v2" } }, pageVersion: "p2" };

describe("findDifference", () => {
  it("finds none when the worker and the client have the release's versions", () => {
    expect(findDifference(live, release)).toBeNull();
  });

  it.each([
    ["the previous worker", { health: { status: 200, body: { status: "ok", version: "v1" } } }],
    ["the previous client", { pageVersion: "p1" }],
    ["a worker that cannot serve", { health: { status: 503, body: { error: {} } } }],
    ["something else", { health: { status: 200, body: null } }],
  ])("finds %s", (_, over) => {
    expect(findDifference({ ...live, ...over }, release)).toMatch(/^\/(api\/health|version\.txt)/);
  });
});

describe("waitUntilLive", () => {
  const wait = vi.fn(async () => {});

  it("retries until the release answers", async () => {
    const fetchRelease = vi
      .fn<() => Promise<typeof live>>()
      .mockRejectedValueOnce(new Error("reset"))
      .mockResolvedValueOnce({ ...live, pageVersion: "p1" })
      .mockResolvedValue(live);
    await waitUntilLive(release, { fetchRelease, wait });
    expect(fetchRelease).toHaveBeenCalledTimes(3);
  });

  it("gives up after two minutes with the last difference and the rollback command", async () => {
    wait.mockClear();
    const fetchRelease = async () => ({ ...live, pageVersion: "p1" });
    await expect(waitUntilLive(release, { fetchRelease, wait })).rejects.toThrow(
      /version\.txt is not p2.*rollback/,
    );
    const waited = wait.mock.calls.flat().reduce<number>((sum, ms) => sum + Number(ms), 0);
    expect(waited).toBeLessThanOrEqual(120_000);
  });
});
