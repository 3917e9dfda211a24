import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readServeSettings, SettingsError } from "#local/serve/settings.ts";

const secret = "a secret of tests that is long enough";
const complete = {
  APP_ORIGIN: "https://lectures.example.edu",
  DATABASE_URL: "postgres://dualect:password@127.0.0.1/dualect",
  SMTP_URL: "smtp://user:password@mail.example.edu",
  MAIL_FROM: "Lectures <lectures@example.edu>",
  GUEST_TICKET_SECRET: secret,
  PROXY_SECRET: secret,
  SIGN_UP: "invitation",
};

/** The lines that name settings. */
function listProblems(env: Record<string, string | undefined>): string[] {
  try {
    readServeSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message
      .split("\n")
      .slice(1, -1)
      .map((line) => line.trim());
  }
}

describe("readServeSettings", () => {
  it("needs an address, a database, mail, two secrets, and who may sign up", () => {
    expect(listProblems(complete)).toEqual([]);
    expect(listProblems({})).toEqual([
      "APP_ORIGIN: missing",
      "DATABASE_URL: missing",
      "GUEST_TICKET_SECRET: missing",
      "MAIL_FROM: missing",
      "PROXY_SECRET: missing",
      "SIGN_UP: missing",
      "SMTP_URL or RESEND_API_KEY: missing",
    ]);
  });

  it("takes an empty setting for one that is not set", () => {
    const empty = Object.fromEntries(Object.keys(complete).map((name) => [name, ""]));
    expect(listProblems(empty)).toEqual(listProblems({}));
  });

  it("has a speech service and a model when they are set, and then completely", () => {
    expect(listProblems({ ...complete, LLM_MODEL: "model" })).toEqual(["LLM_API_KEY: missing"]);
    const own = { SPEECH_PROVIDER: "deepgram", DEEPGRAM_URL: "ws://127.0.0.1:8000/v1/listen" };
    expect(listProblems({ ...complete, ...own })).toEqual([]);
    expect(listProblems({ ...complete, SPEECH_PROVIDER: "deepgram" })).toEqual([
      "DEEPGRAM_API_KEY: missing",
    ]);
  });

  it.each([
    ["SPEECH", "demo"],
    ["BILLING_MODE", "test"],
    ["STRIPE_SECRET_KEY", "sk_live_key"],
    ["APP_ORIGIN", "http://lectures.example.edu"],
    ["APP_ORIGIN", "https://lectures.example.edu/path"],
    ["DATABASE_URL", "mysql://127.0.0.1/dualect"],
    ["SMTP_URL", "mail.example.edu:25"],
    ["PROXY_SECRET", "short"],
    ["PORT", "0"],
    ["SIGN_UP", "everybody"],
    ["SIGN_UP_DOMAINS", "@example.edu"],
    ["RESEND_API_KEY", "key"],
  ])("refuses %s=%s with a line that names it and not its value", (name, value) => {
    const problems = listProblems({ ...complete, [name]: value });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((line) => line.startsWith(`${name}: `))).toBe(true);
    if (name.endsWith("SECRET_KEY") || name.endsWith("API_KEY"))
      expect(problems.join()).not.toContain(value);
  });

  it.each([
    ["domain", "SIGN_UP_DOMAINS"],
    ["sign-on", "SIGN_ON_HEADER"],
  ])("needs for SIGN_UP=%s also %s", (rule, name) => {
    expect(listProblems({ ...complete, SIGN_UP: rule })).toEqual([`${name}: missing`]);
  });

  it("never gives the worker an address of the database or of the mail server", () => {
    const { vars } = readServeSettings(complete);
    expect(vars).toMatchObject({ APP_ENV: "self-hosted", RESEND_API_KEY: "smtp" });
    expect(vars.SMTP_URL).toBeUndefined();
  });

  it("sends mail unencrypted only to a private address, where that is allowed", () => {
    const needsTls = (url: string, more = {}) =>
      readServeSettings({ ...complete, SMTP_URL: url, ...more }).smtpNeedsTls;
    const allowed = { ALLOW_PRIVATE_NETWORK: "true" };
    expect(needsTls("smtp://10.0.0.5:25")).toBe(true);
    expect(needsTls("smtp://10.0.0.5:25", allowed)).toBe(false);
    expect(needsTls("smtp://mail.example.edu", allowed)).toBe(true);
  });
});

it("docs/self-host.md names every setting of the server, and .env.example those that it needs", () => {
  const page = readFileSync("docs/self-host.md", "utf8");
  const example = readFileSync("self-host.env", "utf8");
  for (const name of ["HOST", "PORT", "DUALECT_DATA_DIR", ...Object.keys(complete)])
    expect(page).toContain(`\`${name}\``);
  for (const name of Object.keys(complete))
    expect(example).toMatch(new RegExp(`^#? ?${name}=`, "m"));
});
