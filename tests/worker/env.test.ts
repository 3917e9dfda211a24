import { env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { readEnv } from "#worker/env.ts";
import { getServices } from "#worker/services.ts";
import { listProblems as listBindingProblems } from "./support/errors.ts";
import { productionSettings } from "./support/settings.ts";

const production = productionSettings;
const secret = production.GUEST_TICKET_SECRET;
const development = {
  APP_ENV: "development",
  LOCAL_STACK_URL: "http://127.0.0.1:5500",
  GUEST_TICKET_SECRET: secret,
};

const deepgram = { SPEECH_PROVIDER: "deepgram" };
const { SONIOX_API_KEY: _, ...withoutSpeech } = production;
const turnstileTestKeys = {
  TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
  TURNSTILE_SECRET_KEY: "1x0000000000000000000000000000000AA",
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

const listProblems = (variables: Record<string, string>) =>
  listBindingProblems(createBindings(variables));

describe("readEnv", () => {
  test("uses real services and no stand-in in production", () => {
    expect(read(production)).toEqual({
      appEnv: "production",
      database: { url: production.DATABASE_URL },
      speech: {
        service: "Soniox",
        url: "wss://stt-rt.soniox.com/transcribe-websocket",
        apiKey: "soniox-key",
        endpointSensitivity: null,
        streams: 10,
        openings: 100,
      },
      speechService: "Soniox",
      recognizer: "soniox",
      speechPace: 2,
      llm: {
        baseUrl: "https://api.openai.com/v1",
        apiKey: "llm-key",
        isOwn: false,
        model: "model",
        contextTokens: 128_000,
      },
      translationPace: "careful",
      securityContact: "mailto:hello@example.org",
      mail: {
        baseUrl: "https://api.resend.com",
        apiKey: "resend-key",
        from: "Dualect <hello@example.org>",
      },
      appOrigin: "https://dualect.example.org",
      guestTicketSecret: secret,
      metricsSecret: null,
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
      hasModel: true,
      signUp: { rule: "open", domains: [], signOnHeader: null },
      dailyLimits: { accounts: 2_000, mails: 5_000 },
      modelBudget: { guests: 200_000_000, site: 1_000_000_000 },
      standIns: { speech: false, llm: false, mail: false, payments: false },
      isDemoDefault: false,
      remoteStandIn: null,
      outboxUrl: null,
    });
  });

  test("makes the demo the default where it is wanted, also beside a configured service", () => {
    expect(read(development)).toMatchObject({ isDemoDefault: false });
    const service = { SPEECH_PROVIDER: "deepgram", DEEPGRAM_URL: "ws://127.0.0.1:8000/v1/listen" };
    for (const more of [{}, service, { SONIOX_API_KEY: "key" }])
      expect(read({ ...development, ...more, SPEECH: "demo" })).toMatchObject({
        speech: { url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:5500\//), apiKey: "stand-in" },
        standIns: { speech: true },
        isDemoDefault: true,
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
      llm: { baseUrl: own.LLM_BASE_URL, model: "llama", isOwn: true },
      standIns: { speech: true, llm: false, mail: true, payments: true },
    });
  });

  describe("with Deepgram", () => {
    const url = "wss://speech.example.org/v1/listen";

    test("uses the service with a key, or a server of one's own with an address", () => {
      expect(read({ ...withoutSpeech, ...deepgram, DEEPGRAM_API_KEY: "key" }).speech).toEqual({
        service: "Deepgram",
        url: "wss://api.deepgram.com/v1/listen",
        apiKey: "key",
        model: "nova-3",
        hasFinalize: true,
        hasConfigure: true,
        streams: 50,
        openings: null,
      });
      const own = { DEEPGRAM_URL: url, DEEPGRAM_MODEL: "whisper", DEEPGRAM_STREAMS: "3" };
      expect(read({ ...withoutSpeech, ...deepgram, ...own })).toMatchObject({
        speech: { service: "Deepgram", url, apiKey: "", model: "whisper", streams: 3 },
        standIns: { speech: false },
      });
    });

    test("names a server of one's own, and not the service whose protocol it speaks", () => {
      const name = (base: object, address: string, more = {}) =>
        read({ ...base, ...deepgram, DEEPGRAM_URL: address, ...more }).speechService;
      const local = "ws://127.0.0.1:8000/v1/listen";
      expect(name(development, local)).toBe("localServer");
      expect(name(development, "ws://[::1]:8000/v1/listen")).toBe("localServer");
      expect(name(development, url)).toBe("ownServer");
      expect(name(withoutSpeech, url)).toBe("ownServer");
      expect(name(withoutSpeech, local, { ALLOW_PRIVATE_NETWORK: "true" })).toBe("ownServer");
      expect(name(withoutSpeech, "wss://api.eu.deepgram.com/v1/listen")).toBe("Deepgram");
      expect(read({ ...development, ...deepgram }).speechService).toBe("Deepgram");
    });

    test("says which languages are recognised", () => {
      const find = (more: object) => read({ ...development, ...deepgram, ...more }).recognizer;
      const key = { DEEPGRAM_API_KEY: "key" };
      expect(find({})).toBe("nova-3");
      expect(find({ ...key, DEEPGRAM_MODEL: "nova-2-general" })).toBe("nova-2");
      expect(find({ ...key, DEEPGRAM_MODEL: "nova-3-medical" })).toBe("english");
      expect(find({ DEEPGRAM_URL: url })).toBe("whisper");
      expect(read(development).recognizer).toBe("soniox");
    });

    test("may have no `Finalize`", () => {
      const own = { ...development, ...deepgram, DEEPGRAM_URL: url, DEEPGRAM_FINALIZE: "false" };
      expect(read(own).speech).toMatchObject({ hasFinalize: false });
    });

    test("may be chosen beside a key of Soniox, which is then not used", () => {
      const settings = { ...production, ...deepgram, DEEPGRAM_API_KEY: "key" };
      expect(read(settings).speech).toMatchObject({ service: "Deepgram", apiKey: "key" });
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
          openings: null,
        },
        standIns: { speech: true },
      });
      expect(read({ ...development, ...deepgram, DEEPGRAM_API_KEY: "key" })).toMatchObject({
        speech: { url: "wss://api.deepgram.com/v1/listen", apiKey: "key" },
        standIns: { speech: false },
      });
    });
  });

  test.each([
    [
      "the embedded stack in production",
      { ...production, LOCAL_STACK_URL: "http://127.0.0.1:1" },
      ["LOCAL_STACK_URL: not allowed in production"],
    ],
    [
      "the demo in production",
      { ...production, SPEECH: "demo" },
      ["SPEECH: not allowed in production"],
    ],
    [
      "the demo without the embedded stack",
      { ...production, APP_ENV: "development", SPEECH: "demo" },
      ["SPEECH: the demo is part of the embedded stack (LOCAL_STACK_URL)"],
    ],
    [
      "simulated payments in production",
      { ...production, BILLING_MODE: "test" },
      ["BILLING_MODE: test is not allowed in production"],
    ],
    [
      "the same price for two plans",
      { ...production, STRIPE_PRO_ANNUAL_PRICE: "price_2y" },
      ["STRIPE_…_PRICE: two are the same"],
    ],
    [
      "Turnstile's test keys in production",
      { ...production, ...turnstileTestKeys },
      [
        "TURNSTILE_SITE_KEY: a test key is not allowed in production",
        "TURNSTILE_SECRET_KEY: a test key is not allowed in production",
      ],
    ],
    ["Deepgram without key", { ...withoutSpeech, ...deepgram }, ["DEEPGRAM_API_KEY: missing"]],
    ["Deepgram with Soniox's key", { ...production, ...deepgram }, ["DEEPGRAM_API_KEY: missing"]],
    [
      "a stand-in of Deepgram beside Soniox's key",
      { ...development, ...deepgram, SONIOX_API_KEY: "key" },
      ["DEEPGRAM_API_KEY: missing"],
    ],
    [
      "Soniox without its key",
      { ...development, SONIOX_URL: "wss://stt-rt.eu.soniox.com/x" },
      ["SONIOX_API_KEY: missing"],
    ],
    ["a model without its name", { ...development, LLM_API_KEY: "key" }, ["LLM_MODEL: missing"]],
    ["mail without a sender", { ...development, RESEND_API_KEY: "key" }, ["MAIL_FROM: missing"]],
    [
      "Stripe without its other settings",
      { ...development, STRIPE_SECRET_KEY: "key" },
      expect.arrayContaining(["STRIPE_WEBHOOK_SECRET: missing"]),
    ],
  ])("refuses %s", (_, variables, problems) => {
    expect(listProblems(variables)).toEqual(problems);
  });

  test.each([
    ["LLM_CONTEXT_TOKENS", ["", "many", "1999", "8192.5"]],
    ["SPEECH_PROVIDER", ["whisper"]],
    ["BILLING_MODE", ["simulated"]],
    ["ANNUAL_SAVING_PERCENT", ["-1", "91", "much"]],
    ["ACCOUNTS_PER_DAY", ["0", "many", "1.5"]],
    ["MAILS_PER_DAY", ["0", "many", "1.5"]],
    ["APP_ORIGIN", ["https://dualect.example.org/", "https://dualect.example.org/path", "x.org"]],
  ])("refuses values of %s that cannot be used", (name, values) => {
    for (const value of values)
      expect(listProblems({ ...production, [name]: value }).join()).toMatch(RegExp(`^${name}: `));
  });

  test("reads limits", () => {
    const limits = { LLM_CONTEXT_TOKENS: "8192", ACCOUNTS_PER_DAY: "7", MAILS_PER_DAY: "8" };
    expect(read({ ...production, ...limits })).toMatchObject({
      llm: { contextTokens: 8_192 },
      dailyLimits: { accounts: 7, mails: 8 },
    });
    expect(read({ ...development, BILLING_MODE: "test" }).billing.mode).toBe("test");
  });

  test.each(Object.keys(production).filter((name) => name !== "GUEST_TICKET_SECRET"))(
    "does not start production without %s",
    (name) => {
      const { [name as keyof typeof production]: _, ...rest } = production;
      expect(listProblems(rest)).toEqual([`${name}: missing`]);
    },
  );

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

  test("stands in for Turnstile with Cloudflare's test keys", () => {
    expect(read({ ...development, ...turnstileTestKeys }).turnstile).toMatchObject({
      isStandIn: true,
      url: "http://127.0.0.1:5500/turnstile/v0",
      scriptUrl: "/api/turnstile/api.js",
    });
    const real = { TURNSTILE_SITE_KEY: "0x4AAA-site", TURNSTILE_SECRET_KEY: "0x4AAA-secret" };
    expect(read({ ...development, ...real }).turnstile?.isStandIn).toBe(false);
  });

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
