import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { webhookDeliveries, webhooks } from "#drizzle/schema.ts";
import { failuresMax, sendWebhooks } from "#server/programs/send-webhooks.ts";
import { webhooksMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { getServices } from "#worker/services.ts";

const services = getServices(env);
const { db, webhookSender } = services;
type Account = Awaited<ReturnType<typeof openSignedIn>>;
const tomorrow = new Date(Date.now() + 86_400_000);

interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}
let messages: Message[];
/** What receivers answer. */
let status: number | null;

beforeEach(() => {
  messages = [];
  status = 204;
  services.webhookSender = {
    ...webhookSender,
    async post(url, message) {
      messages.push({ url, ...message });
      return status;
    },
  };
});
afterEach(() => {
  services.webhookSender = webhookSender;
});

/** The messages to `url` once there are `count`. */
const waitForMessages = (url: string, count: number) =>
  vi.waitUntil(
    () => {
      const found = messages.filter((message) => message.url === url);
      return found.length >= count && found;
    },
    { timeout: 10_000, interval: 10 },
  );

async function addWebhook({ trpc }: Account) {
  const url = `https://${crypto.randomUUID()}.example.org/`;
  return { url, ...(await trpc.webhooks.create.mutate({ url })) };
}

/** A signed-in user with a webhook. */
async function openWithWebhook() {
  const account = await openSignedIn();
  return { account, ...(await addWebhook(account)) };
}

/** Adds messages that wait, each with its number as the body. */
const addWaiting = (
  webhookId: string,
  count: number,
  over: { attempts?: number; at?: Date } = {},
) =>
  db.insert(webhookDeliveries).values(
    Array.from({ length: count }, (_, n) => ({
      webhookId,
      body: `${n}`,
      nextAttemptAt: over.at ?? new Date(),
      attempts: over.attempts ?? 0,
    })),
  );

async function addLecture({ trpc }: Account) {
  const id = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id, title: "A secret title", targetLanguage: "fr" });
  return id;
}

const save = ({ trpc }: Account, id: string) =>
  trpc.lectures.complete.mutate({ id, title: "A secret title" });

const share = ({ trpc }: Account, lectureId: string) =>
  trpc.shares.create.mutate({ lectureId, mode: "until_revoked", mayCopy: false });

const readDeliveries = (webhookId: string) =>
  db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));

/** Runs the cron's job at `now` for the account. */
const sendAt = (now: Date, { user }: Account) =>
  sendWebhooks(
    { ...services, clock: { now: () => now }, siteSecret: services.env.guestTicketSecret },
    user.id,
  );

describe("a webhook", () => {
  it("is told once that a lecture is saved, by its id alone, with a signature", async () => {
    const { account, url, key, webhook } = await openWithWebhook();
    const lectureId = await addLecture(account);
    await account.trpc.lectures.change.mutate({ id: lectureId, summary: "A secret summary" });
    await save(account, lectureId);
    const [message] = await waitForMessages(url, 1);
    if (!message) throw new Error("no message");
    const verified = new Webhook(key).verify(message.body, message.headers);
    expect(verified).toEqual({
      type: "lecture.saved",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { lectureId },
    });
    // Saving what is saved is nothing new.
    await save(account, lectureId);
    await account.trpc.lectures.rename.mutate({ id: lectureId, title: "Another" });
    await expect.poll(() => readDeliveries(webhook.id)).toEqual([]);
    expect(messages).toHaveLength(1);
    const [listed] = await account.trpc.webhooks.list.query();
    expect(listed).toMatchObject({ url, lastStatus: 204, failures: 0, isDisabled: false });
    expect(JSON.stringify(listed)).not.toContain(key.slice(6));
  });

  it("is told who is to do what until when, once that is found", async () => {
    const { account, url } = await openWithWebhook();
    const lectureId = await addLecture(account);
    const said = createEntry("Ben, can you book the room by 2026-05-08?");
    await account.trpc.lectures.saveRows.mutate({ lectureId, entries: [said], deleted: [] });
    const { items } = await account.trpc.actionItems.find.mutate({ lectureId });
    const [message] = await waitForMessages(url, 1);
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      type: "lecture.action_items",
      data: { lectureId, items: [{ id: items[0]?.id, who: "Ben", isDone: false }] },
    });
    expect(message?.body).not.toContain("A secret title");
    // What is found again is nothing new.
    await account.trpc.actionItems.find.mutate({ lectureId });
    expect(messages).toHaveLength(1);
  });

  it("is told when a share ends: by its owner, a renewed link, or the trash", async () => {
    const { account, url } = await openWithWebhook();
    const lectureId = await addLecture(account);
    const shareIds = [(await share(account, lectureId)).id];
    shareIds.push((await account.trpc.shares.renew.mutate({ lectureId })).id);
    await account.trpc.shares.end.mutate({ lectureId });
    shareIds.push((await share(account, lectureId)).id);
    await account.trpc.lectures.delete.mutate({ id: lectureId });
    const found = await waitForMessages(url, 3);
    expect(found.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data])).toEqual(
      shareIds.map((shareId) => ["share.ended", { shareId, lectureId }]),
    );
  });

  it("gets a message again until it takes it, an hour later, then after twice the time", async () => {
    const { account, url, webhook } = await openWithWebhook();
    status = 500;
    await save(account, await addLecture(account));
    const [first] = await waitForMessages(url, 1);
    await expect.poll(() => readDeliveries(webhook.id)).toMatchObject([{ attempts: 1 }]);
    const start = Date.now();
    const inMinutes = (minutes: number) => new Date(start + minutes * 60_000);
    expect(await sendAt(inMinutes(45), account)).toEqual({ sent: 0, failed: 0 });
    expect(await sendAt(inMinutes(60), account)).toEqual({ sent: 0, failed: 1 });
    expect(await sendAt(inMinutes(120), account)).toEqual({ sent: 0, failed: 0 });
    status = null;
    expect(await sendAt(inMinutes(180), account)).toEqual({ sent: 0, failed: 1 });
    const [listed] = await account.trpc.webhooks.list.query();
    expect(listed).toMatchObject({ failures: 3, lastStatus: null, isDisabled: false });
    status = 200;
    expect(await sendAt(inMinutes(24 * 60), account)).toEqual({ sent: 1, failed: 0 });
    const again = messages.at(-1);
    expect(again?.body).toBe(first?.body);
    expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(again?.headers["webhook-timestamp"]).not.toBe(first?.headers["webhook-timestamp"]);
    expect(await readDeliveries(webhook.id)).toEqual([]);
    expect((await account.trpc.webhooks.list.query())[0]).toMatchObject({ failures: 0 });
  });

  it("gets each message from one of several senders", async () => {
    const { account, url, webhook } = await openWithWebhook();
    await addWaiting(webhook.id, 20);
    await Promise.all([1, 2, 3].map(() => sendAt(new Date(), account)));
    const bodies = messages.filter((message) => message.url === url).map(({ body }) => body);
    expect(bodies).toHaveLength(20);
    expect(new Set(bodies).size).toBe(20);
  });

  it("is disabled after too many failures, or when it is gone, and is enabled again", async () => {
    const { account, url, webhook } = await openWithWebhook();
    const { id } = webhook;
    status = 302;
    await db
      .update(webhooks)
      .set({ failures: failuresMax - 1 })
      .where(eq(webhooks.id, id));
    await save(account, await addLecture(account));
    await waitForMessages(url, 1);
    const readState = async () => (await account.trpc.webhooks.list.query())[0];
    await expect
      .poll(readState)
      .toMatchObject({ isDisabled: true, failures: failuresMax, lastStatus: 302 });
    expect(await readDeliveries(id)).toEqual([]);
    await save(account, await addLecture(account));
    expect(await readDeliveries(id)).toEqual([]);
    await account.trpc.webhooks.enable.mutate({ id });
    expect(await readState()).toMatchObject({ isDisabled: false, failures: 0 });
    status = 410;
    await save(account, await addLecture(account));
    await expect.poll(readState).toMatchObject({ isDisabled: true, failures: 1, lastStatus: 410 });
  });

  it("that is down for a moment counts one failure, whatever waits, and loses nothing", async () => {
    const { account, webhook } = await openWithWebhook();
    status = 503;
    const count = failuresMax + 2;
    await addWaiting(webhook.id, count);
    expect(await sendAt(new Date(), account)).toEqual({ sent: 0, failed: count });
    const [listed] = await account.trpc.webhooks.list.query();
    expect(listed).toMatchObject({ isDisabled: false, failures: 1, lastStatus: 503 });
    status = 204;
    const inAnHour = new Date(Date.now() + 3_600_000);
    expect(await sendAt(inAnHour, account)).toEqual({ sent: count, failed: 0 });
  });

  it("that is gone is disabled also where a message follows every few minutes", async () => {
    const { account, webhook } = await openWithWebhook();
    status = 404;
    const start = Date.now();
    for (let n = 0; n < 2 * failuresMax + 2; n += 1) {
      await addWaiting(webhook.id, 1);
      await sendAt(new Date(start + n * 5 * 60_000), account);
    }
    const [listed] = await account.trpc.webhooks.list.query();
    expect(listed).toMatchObject({ isDisabled: true, failures: failuresMax });
  });

  it("that is gone stays disabled when another message fails meanwhile", async () => {
    const { account, webhook } = await openWithWebhook();
    const isDisabled = async () => (await account.trpc.webhooks.list.query())[0]?.isDisabled;
    let calls = 0;
    services.webhookSender = {
      ...webhookSender,
      async post() {
        calls += 1;
        if (calls === 1) return 410;
        await expect.poll(isDisabled).toBe(true);
        return 500;
      },
    };
    await addWaiting(webhook.id, 2);
    expect(await sendAt(new Date(), account)).toEqual({ sent: 0, failed: 2 });
    expect(await isDisabled()).toBe(true);
  });

  it("gives a message up after eight attempts", async () => {
    const { account, webhook } = await openWithWebhook();
    status = 503;
    await addWaiting(webhook.id, 1, { attempts: 7 });
    expect(await sendAt(new Date(), account)).toEqual({ sent: 0, failed: 1 });
    expect(await readDeliveries(webhook.id)).toEqual([]);
  });

  it("is one of five at most, each at a public https address, and is deleted with what waits", async () => {
    const account = await openSignedIn();
    const { trpc } = account;
    for (const url of ["http://hooks.example.org/", "https://127.0.0.1/", "https://[::1]/", "x"])
      expect(await getErrorCode(trpc.webhooks.create.mutate({ url }))).toBe("validation_failed");
    const added = await Promise.allSettled(
      Array.from({ length: webhooksMax + 2 }, () => addWebhook(account)),
    );
    expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(webhooksMax);
    const [first] = await trpc.webhooks.list.query();
    const id = first?.id ?? "";
    await addWaiting(id, 1, { at: tomorrow });
    await trpc.webhooks.delete.mutate({ id });
    expect(await readDeliveries(id)).toEqual([]);
    expect(await trpc.webhooks.list.query()).toHaveLength(webhooksMax - 1);
  });

  it("is refused where its name leads to a private address, and added while nobody knows", async () => {
    const { trpc } = await openSignedIn();
    const asked: string[] = [];
    let isAllowed: boolean | null = false;
    services.webhookSender = {
      ...services.webhookSender,
      async isAllowed(url) {
        asked.push(url);
        return isAllowed;
      },
    };
    const url = "https://10.0.0.8.hooks.example.org/";
    expect(await getErrorCode(trpc.webhooks.create.mutate({ url }))).toBe("validation_failed");
    expect(await trpc.webhooks.list.query()).toEqual([]);
    isAllowed = null;
    await trpc.webhooks.create.mutate({ url });
    expect(asked).toEqual([url, url]);
  });

  it("has no more than a hundred messages waiting", async () => {
    const { account, webhook } = await openWithWebhook();
    await addWaiting(webhook.id, 100, { at: tomorrow });
    await save(account, await addLecture(account));
    expect(await readDeliveries(webhook.id)).toHaveLength(100);
  });
});
