import { env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { EnvironmentError, readEnv } from "#worker/env.ts";
import { getServices } from "#worker/services.ts";
import { productionSettings } from "./support/settings.ts";

const production = productionSettings;
const secret = production.GUEST_TICKET_SECRET;
const development = {
  APP_ENV: "development",
  LOCAL_STACK_URL: "http://127.0.0.1:5500",
  GUEST_TICKET_SECRET: secret,
};

const createBindings = (variables: Record<string, string>): Cloudflare.Env => {
  const {
    APP_ENV: _,
    LOCAL_STACK_URL: __,
    GUEST_TICKET_SECRET: ___,
    BILLING_MODE: ____,
    ...rest
  } = env as Cloudflare.Env & Record<string, unknown>;
  return { ...rest, ...variables } as Cloudflare.Env;
};
const read = (variables: Record<string, string>) => readEnv(createBindings(variables));

const listProblems = (variables: Record<string, string>): string[] => {
  try {
    read(variables);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
};

describe("readEnv", () => {
  test("uses real services and no stand-in in production", () => {
    expect(read(production)).toEqual({
      appEnv: "production",
      database: { url: production.DATABASE_URL },
      speech: {
        service: "Soniox",
        url: "wss://stt-rt.soniox.com/transcribe-websocket",
        apiKey: "soniox-key",
        streams: 10,
      },
      llm: {
        baseUrl: "https://api.openai.com/v1",
        apiKey: "llm-key",
        model: "model",
        contextTokens: 128_000,
      },
      mail: {
        baseUrl: "https://api.resend.com",
        apiKey: "resend-key",
        from: "Dualect <hello@example.org>",
      },
      appOrigin: "https://dualect.example.org",
      guestTicketSecret: secret,
      stripe: {
        url: "https://api.stripe.com",
        secretKey: "sk_live_key",
        webhookSecret: "whsec_secret",
      },
      billing: {
        mode: "live",
        annualSavingPercent: 20,
        prices: {
          pro: { product: "prod_1", month: "price_1m", year: "price_1y" },
          premium: { product: "prod_2", month: "price_2m", year: "price_2y" },
        },
      },
      turnstile: null,
      guestMinutesPerDay: 30,
      dailyLimits: { accounts: 2_000, mails: 5_000 },
      modelBudget: { guests: 200_000_000, site: 1_000_000_000 },
      standIns: { speech: false, llm: false, mail: false, payments: false },
      outboxUrl: null,
    });
  });

  test("uses the embedded stack for missing services in development", () => {
    expect(read(development)).toMatchObject({
      database: { url: "postgresql://dualect:local@127.0.0.1:5500/dualect" },
      speech: { url: "ws://127.0.0.1:5500/soniox/transcribe-websocket" },
      llm: { baseUrl: "http://127.0.0.1:5500/llm/v1" },
      mail: { baseUrl: "http://127.0.0.1:5500/mail" },
      appOrigin: null,
      stripe: { url: "http://127.0.0.1:5500" },
      billing: { mode: "live", prices: { pro: { month: "price_pro_monthly" } } },
      standIns: { speech: true, llm: true, mail: true, payments: true },
      outboxUrl: "http://127.0.0.1:5500/mail/",
    });
    const own = { LLM_BASE_URL: "http://127.0.0.1:11434/v1", LLM_MODEL: "llama" };
    expect(read({ ...development, ...own })).toMatchObject({
      llm: { baseUrl: own.LLM_BASE_URL, model: "llama" },
      standIns: { speech: true, llm: false, mail: true, payments: true },
    });
  });

  describe("with Deepgram", () => {
    const { SONIOX_API_KEY: _, ...withoutSpeech } = production;
    const deepgram = { SPEECH_PROVIDER: "deepgram" };
    const url = "wss://speech.example.org/v1/listen";

    test("uses the service with a key, or a server of one's own with an address", () => {
      expect(read({ ...withoutSpeech, ...deepgram, DEEPGRAM_API_KEY: "key" }).speech).toEqual({
        service: "Deepgram",
        url: "wss://api.deepgram.com/v1/listen",
        apiKey: "key",
        model: "nova-3",
        streams: 50,
      });
      const own = { DEEPGRAM_URL: url, DEEPGRAM_MODEL: "whisper", DEEPGRAM_STREAMS: "3" };
      expect(read({ ...withoutSpeech, ...deepgram, ...own })).toMatchObject({
        speech: { service: "Deepgram", url, apiKey: "", model: "whisper", streams: 3 },
        standIns: { speech: false },
      });
    });

    test("may be chosen beside a key of Soniox, which is then not used", () => {
      const settings = { ...production, ...deepgram, DEEPGRAM_API_KEY: "key" };
      expect(read(settings).speech).toMatchObject({ service: "Deepgram", apiKey: "key" });
    });

    test("does not start without key and address", () => {
      for (const settings of [withoutSpeech, production])
        expect(listProblems({ ...settings, ...deepgram })).toEqual(["DEEPGRAM_API_KEY: missing"]);
    });

    test.each(["DEEPGRAM_API_KEY", "DEEPGRAM_URL"])("does not ignore %s", (name) => {
      for (const settings of [withoutSpeech, development])
        expect(listProblems({ ...settings, [name]: url })).toEqual([
          "SPEECH_PROVIDER: must be deepgram to use DEEPGRAM_API_KEY and DEEPGRAM_URL",
        ]);
      expect(listProblems({ ...production, [name]: url })).toEqual([]);
    });

    test("uses the stand-in in development, and a service where it is configured", () => {
      expect(read({ ...development, ...deepgram })).toMatchObject({
        speech: {
          service: "Deepgram",
          url: "ws://127.0.0.1:5500/deepgram/v1/listen",
          apiKey: "stand-in",
          streams: null,
        },
        standIns: { speech: true },
      });
      expect(read({ ...development, ...deepgram, DEEPGRAM_API_KEY: "key" })).toMatchObject({
        speech: { url: "wss://api.deepgram.com/v1/listen", apiKey: "key" },
        standIns: { speech: false },
      });
    });

    test("uses no stand-in while only Soniox is configured", () => {
      const settings = { ...development, ...deepgram, SONIOX_API_KEY: "key" };
      expect(listProblems(settings)).toEqual(["DEEPGRAM_API_KEY: missing"]);
    });

    test("refuses another provider", () => {
      expect(listProblems({ ...production, SPEECH_PROVIDER: "whisper" }).join()).toMatch(
        /^SPEECH_PROVIDER: /,
      );
    });
  });

  test("reads the model's context window and rejects unusable values", () => {
    const { llm } = read({ ...production, LLM_CONTEXT_TOKENS: "8192" });
    expect(llm.contextTokens).toBe(8_192);
    for (const LLM_CONTEXT_TOKENS of ["", "many", "3999", "8192.5"])
      expect(listProblems({ ...production, LLM_CONTEXT_TOKENS }).join()).toMatch(
        /^LLM_CONTEXT_TOKENS: /,
      );
  });

  test.each(Object.keys(production).filter((name) => name !== "GUEST_TICKET_SECRET"))(
    "does not start production without %s",
    (name) => {
      const { [name as keyof typeof production]: _, ...rest } = production;
      expect(listProblems(rest)).toEqual([`${name}: missing`]);
    },
  );

  test("refuses the embedded stack in production", () => {
    const problems = listProblems({ ...production, LOCAL_STACK_URL: "http://127.0.0.1:1" });
    expect(problems).toEqual(["LOCAL_STACK_URL: not allowed in production"]);
  });

  test("permits simulated payments only in development", () => {
    const test = { BILLING_MODE: "test" };
    expect(listProblems({ ...production, ...test })).toEqual([
      "BILLING_MODE: test is not allowed in production",
    ]);
    expect(read({ ...development, ...test }).billing.mode).toBe("test");
    expect(listProblems({ ...production, BILLING_MODE: "simulated" }).join()).toMatch(
      /BILLING_MODE/,
    );
  });

  test("refuses the same price for two plans", () => {
    expect(listProblems({ ...production, STRIPE_PRO_ANNUAL_PRICE: "price_2y" })).toEqual([
      "STRIPE_…_PRICE: two are the same",
    ]);
  });

  test.each(["-1", "91", "much"])("refuses a saving of %s per cent", (ANNUAL_SAVING_PERCENT) => {
    expect(listProblems({ ...production, ANNUAL_SAVING_PERCENT }).join()).toMatch(
      /^ANNUAL_SAVING_PERCENT: /,
    );
  });

  test("requires both of Turnstile's keys or none", () => {
    const keys = { TURNSTILE_SITE_KEY: "0x4AAA-site", TURNSTILE_SECRET_KEY: "0x4AAA-secret" };
    const service = "https://challenges.cloudflare.com/turnstile/v0";
    expect(read({ ...production, ...keys }).turnstile).toEqual({
      siteKey: "0x4AAA-site",
      secretKey: "0x4AAA-secret",
      isStandIn: false,
      url: service,
      scriptUrl: `${service}/api.js?render=explicit`,
    });
    for (const [one, other] of [
      ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"],
      ["TURNSTILE_SECRET_KEY", "TURNSTILE_SITE_KEY"],
    ] as const)
      for (const variables of [production, development])
        expect(listProblems({ ...variables, [one]: keys[one] })).toEqual([`${other}: missing`]);
  });

  test("accepts Cloudflare's test keys only outside production", () => {
    const keys = {
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET_KEY: "1x0000000000000000000000000000000AA",
    };
    expect(listProblems({ ...production, ...keys })).toEqual([
      "TURNSTILE_SITE_KEY: a test key is not allowed in production",
      "TURNSTILE_SECRET_KEY: a test key is not allowed in production",
    ]);
    expect(read({ ...development, ...keys }).turnstile).toMatchObject({
      isStandIn: true,
      url: "http://127.0.0.1:5500/turnstile/v0",
      scriptUrl: "/api/turnstile/api.js",
    });
    const real = { TURNSTILE_SITE_KEY: "0x4AAA-site", TURNSTILE_SECRET_KEY: "0x4AAA-secret" };
    expect(read({ ...development, ...real }).turnstile?.isStandIn).toBe(false);
  });

  test.each(["ACCOUNTS_PER_DAY", "MAILS_PER_DAY"])("requires %s to be at least one", (name) => {
    for (const value of ["0", "many", "1.5"])
      expect(listProblems({ ...production, [name]: value }).join()).toMatch(RegExp(`^${name}: `));
    expect(read({ ...production, [name]: "7" }).dailyLimits).toMatchObject({
      [name === "MAILS_PER_DAY" ? "mails" : "accounts"]: 7,
    });
  });

  test("requires all settings of an integration or none", () => {
    expect(listProblems({ ...development, SONIOX_URL: "wss://stt-rt.eu.soniox.com/x" })).toEqual([
      "SONIOX_API_KEY: missing",
    ]);
    expect(listProblems({ ...development, LLM_API_KEY: "key" })).toEqual(["LLM_MODEL: missing"]);
    expect(listProblems({ ...development, RESEND_API_KEY: "key" })).toEqual(["MAIL_FROM: missing"]);
    expect(listProblems({ ...development, STRIPE_SECRET_KEY: "key" })).toContain(
      "STRIPE_WEBHOOK_SECRET: missing",
    );
  });

  test.each(["https://dualect.example.org/", "https://dualect.example.org/path", "dualect.org"])(
    "refuses %s as an origin",
    (APP_ORIGIN) => {
      expect(listProblems({ ...production, APP_ORIGIN }).join()).toMatch(/^APP_ORIGIN: /);
    },
  );

  test("names invalid settings without their values", () => {
    const problems = listProblems({
      ...production,
      GUEST_TICKET_SECRET: "short",
      LLM_BASE_URL: "ftp://hidden.example.org",
    }).join("\n");
    expect(problems).toMatch(/GUEST_TICKET_SECRET/);
    expect(problems).toMatch(/LLM_BASE_URL/);
    expect(problems).not.toMatch(/short|hidden/);
  });
});

test("starts production with a Stripe sandbox key, and logs it once", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const started = (variables: Record<string, string>) => {
      warn.mockClear();
      const bindings = createBindings(variables);
      getServices(bindings);
      getServices(bindings);
      return warn.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    };
    for (const STRIPE_SECRET_KEY of ["sk_test_51abc", "rk_test_51abc"]) {
      expect(started({ ...production, STRIPE_SECRET_KEY })).toEqual(["stripe_sandbox_key"]);
      expect(String(warn.mock.calls[0])).not.toContain(STRIPE_SECRET_KEY);
    }
    for (const STRIPE_SECRET_KEY of ["sk_live_51abc", "rk_live_51abc"])
      expect(started({ ...production, STRIPE_SECRET_KEY })).toEqual([]);
    expect(started(development)).toEqual([]);
  } finally {
    warn.mockRestore();
  }
});
