import { env } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import rulesFile from "#docs/alerts.yml?raw";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { failRequests } from "#tests/worker/ai/support.ts";
import { connectNewClient } from "#tests/worker/recording/lecture-client.ts";
import {
  createRecorder,
  createWrite,
  getRecordingUrl,
  readLedger,
  speech,
  spoken,
} from "#tests/worker/recording/support.ts";
import { createEntry } from "#tests/worker/sharing/support.ts";
import { fromOwnPage, openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { failMails } from "#tests/worker/support/outbox.ts";
import { runCron, runJobs } from "#worker/cron/run.ts";
import { app } from "#worker/http/app.ts";
import { getServices } from "#worker/services.ts";
import { isFiring, parseRules, parseSamples } from "./prometheus.ts";

/** Brings each rule of docs/alerts.yml over its threshold by what it warns of, and reads that from the endpoint. */

const rules = parseRules(rulesFile);
const secret = "what Prometheus sends, of enough characters";
type Settings = Record<string, string>;
const withSettings = (settings: Settings) => ({ ...env, METRICS_SECRET: secret, ...settings });
const services = getServices(env);
const { webhookSender } = services;
const { db } = services;
const nowhere = "127.0.0.1:1";
const withoutDatabase = { DATABASE_URL: `postgresql://dualect:local@${nowhere}/dualect` };

/** What the endpoint answers with these settings, `hours` later than now. */
async function scrape(settings: Settings = {}, hours = 0): Promise<string> {
  const bindings = withSettings(settings);
  getServices(bindings).clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await app.request(`${origin}/api/metrics`, { headers }, bindings);
  expect(answer.status).toBe(200);
  return answer.text();
}

const call = async (path: string, settings: Settings, cookie = "dualect_session=anything") =>
  app.request(origin + path, { headers: { ...fromOwnPage, cookie } }, withSettings(settings));

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n += 1) await run();
}

/** A browser whose recording is in the ledger. */
async function record() {
  const connection = await connectNewClient(spoken({ to: 10 }));
  connection.client.speak(4);
  await expect.poll(() => readLedger(connection.lectureId)).toHaveLength(1);
  return connection;
}

/** From now on each answer to a request whose body or address contains `part` takes 20 s by the clock. */
function slowDown(part: string): void {
  const { fetch } = globalThis;
  let lateMs = 0;
  const start = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => start() + lateMs);
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    if (`${input instanceof Request ? input.url : input} ${init?.body}`.includes(part))
      lateMs += 20_000;
    return fetch(input, init);
  });
}

/** Returns the settings and the time of the scrape that shows it. */
type Trial = () => Promise<{ settings?: Settings; hoursLater?: number }>;

const trials: Record<string, Trial> = {
  async DualectDatabaseDown() {
    return { settings: withoutDatabase };
  },
  async DualectDatabaseErrors() {
    await repeat(11, () => call("/trpc/auth.session", withoutDatabase));
    return {};
  },
  async DualectRequestsFail() {
    await repeat(4, () => call("/api/health", withoutDatabase));
    return {};
  },
  async DualectRequestsSlow() {
    const { trpc, user } = await openSignedIn();
    slowDown(user.id);
    await repeat(3, () => trpc.lectures.list.query({}));
    return {};
  },
  async DualectTranslationsSlow() {
    const { trpc } = await openSignedIn();
    const text = `slow ${crypto.randomUUID()}`;
    slowDown(text);
    const input = { text, targetLanguage: "fr" as const, context: "", wordContext: "" };
    await (await trpc.ai.translate.mutate(input)).translatedText;
    return {};
  },
  async DualectSavesFail() {
    const { trpc } = await openSignedIn();
    const lectureId = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id: lectureId, title: "t", targetLanguage: "fr" });
    const { fetch } = globalThis;
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
      String(init?.body).includes("transcript_entries")
        ? Promise.reject(new TypeError("the connection was lost"))
        : fetch(input, init),
    );
    await repeat(6, () =>
      expect(
        trpc.lectures.saveRows.mutate({ lectureId, entries: [createEntry("x", 0)], deleted: [] }),
      ).rejects.toThrow("unavailable"),
    );
    return {};
  },
  async DualectSegmentsBehind() {
    await repeat(6, async () => {
      const { userId, lectureId: recordingId } = await createRecorder();
      const write = createWrite(recordingId, { payer: { userId } });
      await flushUsage(db, write, { now: new Date(), mode: "test" });
    });
    // Nothing more that these rooms write arrives for ten minutes.
    return { hoursLater: 1 / 6 };
  },
  async DualectStreamsNearlyUsed() {
    await record();
    return { settings: { SONIOX_STREAMS: "1" } };
  },
  async DualectRecordingsRefused() {
    await record();
    await repeat(4, async () => {
      const { lectureId, cookie } = await createRecorder();
      const headers = { upgrade: "websocket", origin, cookie };
      const bindings = withSettings({ SONIOX_STREAMS: "1" });
      const answer = await app.request(getRecordingUrl(lectureId), { headers }, bindings);
      expect(await answer.json()).toMatchObject({ error: { code: "busy" } });
    });
    return {};
  },
  async DualectOpeningsWait() {
    const openings = env.SPEECH_OPENINGS.getByName("site");
    await repeat(2, async () => openings.reserve(crypto.randomUUID(), 1));
    return {};
  },
  async DualectSpeechKeyRefused() {
    await speech({ errorOnStart: 401 });
    const { client } = await connectNewClient(spoken({ to: 10 }));
    client.speak(4);
    expect(await client.line.message("error")).toMatchObject({ code: "transcription_failed" });
    return {};
  },
  async DualectSpeechFails() {
    const clients = await Promise.all(Array.from({ length: 6 }, record));
    await expect.poll(async () => (await speech({})).open).toBeGreaterThanOrEqual(clients.length);
    await speech({ errorNow: 503 });
    return {};
  },
  async DualectModelFails() {
    const { trpc } = await openSignedIn();
    const text = `refused ${crypto.randomUUID()}`;
    await failRequests(text, { fail: 401 });
    const input = { text, targetLanguage: "fr" as const, context: "", wordContext: "" };
    await repeat(21, async () => {
      const { translatedText } = await trpc.ai.translate.mutate(input);
      await expect(translatedText).rejects.toThrow("llm_failed");
    });
    return {};
  },
  async DualectModelBudgetNearlyUsed() {
    const { trpc } = await openSignedIn();
    const sentence = { targetLanguage: "fr" as const, context: "", wordContext: "" };
    await (await trpc.ai.translate.mutate({ text: "A sentence.", ...sentence })).translatedText;
    return { settings: { MODEL_CHARACTERS_PER_DAY: "10" } };
  },
  async DualectMailFails() {
    await repeat(4, async () => {
      const { trpc, user } = await openSignedIn();
      await failMails({ to: user.email, fail: 422 });
      await trpc.auth.resendConfirmation.mutate().catch(() => {});
    });
    return {};
  },
  async DualectPaymentsFail() {
    const { browser } = await openSignedIn();
    const headers = {
      ...fromOwnPage,
      cookie: browser.cookie ?? "",
      "content-type": "application/json",
    };
    const init = {
      method: "POST",
      headers,
      body: JSON.stringify({ priceId: "price_pro_monthly" }),
    };
    const bindings = withSettings({ STRIPE_URL: `http://${nowhere}` });
    await repeat(4, async () => {
      const answer = await app.request(`${origin}/trpc/subscriptions.checkout`, init, bindings);
      expect(answer.status).toBe(503);
    });
    return {};
  },
  async DualectWebhooksOverdue() {
    const { trpc } = await openSignedIn();
    services.webhookSender = { isAllowed: async () => true, post: async () => null };
    await trpc.webhooks.create.mutate({ url: "https://hooks.example.org/" });
    const id = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id, title: "t", targetLanguage: "fr" });
    await trpc.lectures.complete.mutate({ id, title: "t" });
    return { hoursLater: 24 };
  },
  async DualectCronLate() {
    await runCron(env, new Date());
    return { hoursLater: 3 };
  },
};

beforeEach(async () => {
  await speech({ reset: true });
});
afterEach(() => {
  services.webhookSender = webhookSender;
  vi.restoreAllMocks();
});

it("has a trial for each rule, but for the one on a site that does not answer", () => {
  expect(Object.keys(trials).toSorted()).toEqual(
    Object.keys(rules)
      .filter((name) => name !== "DualectDown")
      .toSorted(),
  );
});

it.each(Object.entries(trials))("%s fires", async (name, trial) => {
  const expression = rules[name] ?? "";
  const before = await scrape();
  const time = Date.now() / 1_000;
  expect(isFiring(expression, { before, after: before, time })).toBe(false);
  const { settings, hoursLater = 0 } = await trial();
  // A room counts what happens to it behind the answers.
  await expect
    .poll(async () => {
      const after = await scrape(settings, hoursLater);
      return isFiring(expression, { before, after, time: time + hoursLater * 3_600 });
    })
    .toBe(true);
});

describe("the endpoint", () => {
  const read = (settings: Settings, authorization?: string) =>
    app.request(
      `${origin}/api/metrics`,
      { headers: authorization === undefined ? {} : { authorization } },
      { ...env, ...settings },
    );

  it("is not there without a secret, and refuses any other one", async () => {
    expect((await read({}, "Bearer undefined")).status).toBe(404);
    for (const authorization of [undefined, "", "Bearer ", `Bearer ${secret}.`, secret])
      expect((await read({ METRICS_SECRET: secret }, authorization)).status).toBe(401);
  });

  it("names no person, and every series of a counter from the beginning", async () => {
    const { trpc, user } = await openSignedIn();
    await trpc.lectures.list.query({});
    const text = (await scrape()).replace(/^dualect_info.*$/m, "");
    expect(text).not.toMatch(/@|[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(text).not.toContain(user.id);
    const samples = parseSamples(text);
    expect(samples).toContainEqual({
      name: "dualect_provider_errors_total",
      labels: { provider: "payments", kind: "failed" },
      value: expect.any(Number),
    });
    expect(samples.length).toBeLessThan(500);
  });

  it("adds the seconds of a recording", async () => {
    const getRecorded = async () =>
      parseSamples(await scrape()).find(
        ({ name, labels }) => name === "dualect_recorded_seconds_total" && labels.payer === "user",
      )?.value ?? 0;
    const before = await getRecorded();
    const lecture = spoken({ to: 10 });
    const { client, lectureId } = await connectNewClient(lecture);
    await client.finish();
    const seconds = (client.chunks.length * lecture.chunkMs) / 1_000;
    await expect.poll(async () => (await readLedger(lectureId))[0]?.closedAt).toBeTruthy();
    await expect.poll(getRecorded).toBeGreaterThanOrEqual(before + seconds);
  });

  it("counts an hourly job that fails, and does not take it for a success", async () => {
    const find = async (wanted: string) =>
      parseSamples(await scrape()).find(
        ({ name, labels }) => name === wanted && (labels.job ?? "purged") === "purged",
      )?.value ?? 0;
    const [failures, success] = [
      await find("dualect_cron_failures_total"),
      await find("dualect_cron_last_success_timestamp_seconds"),
    ];
    const job = { event: "cron_purged", run: () => Promise.reject(new Error("on purpose")) };
    await expect(runJobs([job], env, new Date())).rejects.toThrow("on purpose");
    expect(await find("dualect_cron_failures_total")).toBe(failures + 1);
    expect(await find("dualect_cron_last_success_timestamp_seconds")).toBe(success);
  });
});

it("writes a data point for each count where Analytics Engine is bound", async () => {
  const writeDataPoint = vi.fn<AnalyticsEngineDataset["writeDataPoint"]>();
  Object.assign(workerEnv, { EVENTS: { writeDataPoint } });
  try {
    await call("/api/health", {});
  } finally {
    Reflect.deleteProperty(workerEnv, "EVENTS");
  }
  expect(writeDataPoint).toHaveBeenCalledWith({
    indexes: ["dualect_request_duration_seconds"],
    blobs: ["other", "ok"],
    doubles: [expect.any(Number)],
  });
});
