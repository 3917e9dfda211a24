import { describe, expect, test } from "vitest";
import { createCredentials } from "#tests/worker/support/browser.ts";
import { openSite } from "./site.ts";

/** A signed-in user of a site with `settings`. */
async function signUp(settings: Record<string, string>) {
  const site = openSite({ SIGN_UP: "open", ...settings });
  const { cookie } = await site.call("auth.signUp", { input: createCredentials() });
  const call = (procedure: string, input?: object) =>
    site.call(procedure, { headers: { cookie }, ...(input && { input }) });
  return { ...site, call, cookie };
}

describe("a self-hosted site", () => {
  test("tells the page that it has no plans, and neither a speech service nor a model", async () => {
    const { call } = openSite({ SIGN_UP: "open" });
    const none = { speech: false, llm: false, mail: false, payments: false };
    expect((await call("site.info")).data).toMatchObject({
      speechService: null,
      lacksModel: true,
      lacksPlans: true,
      standIns: none,
      outboxUrl: null,
    });
  });

  test("tells the page which services it has", async () => {
    const { call } = openSite({
      SIGN_UP: "open",
      SPEECH_PROVIDER: "deepgram",
      DEEPGRAM_URL: "ws://127.0.0.1:8000/v1/listen",
      LLM_BASE_URL: "http://127.0.0.1:11434/v1",
      LLM_MODEL: "model",
    });
    const info = { speechService: "ownServer", lacksModel: false, lacksPlans: true };
    expect((await call("site.info")).data).toMatchObject(info);
  });

  test.each([
    [{}, null],
    [{ HOURS_PER_MONTH: "40" }, 40],
    [{ HOURS_PER_MONTH: "0" }, 0],
  ])("gives everybody the same hours: %o", async (settings, hourLimit) => {
    const { call } = await signUp(settings);
    expect((await call("subscriptions.check")).data).toMatchObject({
      hourLimit,
      subscriptionEnd: null,
    });
  });

  test("sells nothing, and takes no webhook of Stripe's", async () => {
    const { call, fetch } = await signUp({});
    expect((await call("subscriptions.plans")).code).toBe("not_found");
    expect((await call("subscriptions.checkout", { priceId: "price" })).code).toBe("not_found");
    expect((await fetch("/api/stripe/webhook", { method: "POST", body: "{}" })).status).toBe(404);
  });

  test("refuses a recording without a speech service, and a text without a model", async () => {
    const { call, cookie, fetch } = await signUp({});
    const path = `/api/recordings/${crypto.randomUUID()}?ask=1`;
    const preflight = await fetch(path, { headers: { cookie } });
    expect(await preflight.json()).toEqual({ refusal: "speech_not_offered" });
    const row = { text: "Entropy counts arrangements.", targetLanguage: "zh" };
    const input = { ...row, sourceLanguage: "en", context: "", wordContext: "" };
    expect((await call("ai.translate", input)).code).toBe("model_not_offered");
  });
});
