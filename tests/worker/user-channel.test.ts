import {
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions } from "#drizzle/schema.ts";
import { pageHeader, userChannelPing, userChannelPong } from "#shared/site.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { createRecorder, Line, services, speech, spoken } from "#tests/worker/recording/support.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { channelGrantHeader } from "#worker/durable/sockets.ts";

const path = `${origin}/api/live`;
const getChannel = (userId: string) => env.USER_CHANNEL.getByName(userId);

function open(headers: Record<string, string>): Promise<Response> {
  return SELF.fetch(path, { headers: { upgrade: "websocket", origin, ...headers } });
}

/** A page with an open user channel. */
async function listen(headers: Record<string, string>) {
  const { webSocket, status } = await open(headers);
  if (!webSocket) throw new Error(`no upgrade: ${status}`);
  webSocket.accept();
  const page = { messages: [] as string[], closed: null as number | null, socket: webSocket };
  webSocket.addEventListener("message", ({ data }) => {
    page.messages.push(String(data));
  });
  webSocket.addEventListener("close", ({ code }) => {
    page.closed = code;
  });
  return page;
}

const changed = JSON.stringify({ type: "profile_changed" });

describe("the upgrade", () => {
  test("requires a session and our own origin", async () => {
    const { cookie } = await createRecorder();
    const status = async (headers: Record<string, string>) => (await open(headers)).status;
    expect(await status({ cookie })).toBe(101);
    expect(await status({})).toBe(401);
    expect(await status({ cookie, origin: "https://evil.example" })).toBe(403);
    const bare = await SELF.fetch(path, { headers: { upgrade: "websocket", cookie } });
    expect(bare.status).toBe(403);
    const bearer = { authorization: `Bearer ${cookie.split("=")[1]}`, upgrade: "websocket" };
    expect((await SELF.fetch(path, { headers: bearer })).status).toBe(101);
    const plain = await SELF.fetch(path, { headers: { origin, cookie } });
    expect(plain.status).toBe(426);
    expect(await plain.json()).toEqual({ error: { code: "upgrade_required" } });
  });

  test("ignores a user id that the client sends", async () => {
    const mine = await createRecorder();
    const theirs = await createRecorder();
    const forged = { userId: theirs.userId, signInId: "x", expiresAt: 1e15 };
    const page = await listen({
      cookie: mine.cookie,
      [channelGrantHeader]: JSON.stringify(forged),
    });
    await services.userEvents.reportProfileChange(theirs.userId);
    await services.userEvents.reportProfileChange(mine.userId);
    await expect.poll(() => page.messages).toEqual([changed]);
  });

  test("is refused to a page too many", async () => {
    const { cookie } = await createRecorder();
    for (let count = 0; count < 32; count += 1) await listen({ cookie });
    expect((await open({ cookie })).status).toBe(429);
  });
});

describe("every page of the user", () => {
  test("must connect again after a thousand messages, because nobody knows what it has read", async () => {
    const { userId, cookie } = await createRecorder();
    const page = await listen({ cookie });
    await runInDurableObject(getChannel(userId), (_, state) => {
      const [socket] = state.getWebSockets();
      socket?.serializeAttachment({ ...socket.deserializeAttachment(), sentCount: 999 });
    });
    await services.userEvents.reportProfileChange(userId);
    await services.userEvents.reportProfileChange(userId);
    await expect.poll(() => page.closed).toBe(1012);
    expect(page.messages).toEqual([changed]);
    const again = await listen({ cookie });
    await services.userEvents.reportProfileChange(userId);
    await expect.poll(() => again.messages).toEqual([changed]);
  });

  test("hears which lecture has changed and which page has changed it, and of nobody else's", async () => {
    const { browser, trpc } = await openSignedIn();
    const stranger = await openSignedIn();
    const page = await listen({ cookie: browser.cookie ?? "" });
    const other = await listen({ cookie: stranger.browser.cookie ?? "" });
    const id = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id, title: "L", targetLanguage: "fr" });
    const entry = createEntry("One.");
    const pageId = crypto.randomUUID();
    const saving = await browser.fetch("/trpc/lectures.saveRows", {
      method: "POST",
      headers: { "content-type": "application/json", [pageHeader]: pageId },
      body: JSON.stringify({ lectureId: id, entries: [entry], deleted: [] }),
    });
    expect(saving.status).toBe(200);
    const news = (by: string | null) =>
      JSON.stringify({ type: "lecture_changed", lectureId: id, pageId: by });
    await expect.poll(() => page.messages).toEqual([news(pageId)]);
    // Nothing is said of a call that changes nothing.
    await trpc.lectures.saveRows.mutate({ lectureId: id, entries: [entry], deleted: [] });
    await trpc.lectures.rename.mutate({ id, title: "Named" });
    await expect.poll(() => page.messages).toEqual([news(pageId), news(null)]);
    await trpc.lectures.saveRows.mutate({
      lectureId: id,
      entries: [],
      deleted: [{ id: entry.id, seq: 1 }],
    });
    const mark = { id: crypto.randomUUID(), atMs: 1, position: null, note: "" };
    await trpc.marks.change.mutate({ lectureId: id, marks: [mark], deletedIds: [] });
    await expect.poll(() => page.messages.slice(2)).toEqual([news(null), news(null)]);
    expect(other.messages).toEqual([]);
  });

  test("is notified of a change, also after the channel hibernated", async () => {
    const { userId, cookie } = await createRecorder();
    const pages = [await listen({ cookie }), await listen({ cookie })];
    await services.userEvents.reportProfileChange(userId);
    for (const page of pages) await expect.poll(() => page.messages).toEqual([changed]);
    await evictDurableObject(getChannel(userId));
    await services.userEvents.reportProfileChange(userId);
    for (const page of pages) await expect.poll(() => page.messages).toEqual([changed, changed]);
  });

  test("gets an answer to its ping and to nothing else", async () => {
    const { cookie } = await createRecorder();
    const page = await listen({ cookie });
    page.socket.send(userChannelPing);
    await expect.poll(() => page.messages).toEqual([userChannelPong]);
    page.socket.send("hello");
    await expect.poll(() => page.closed).toBe(1008);
  });

  test("is notified of recorded time once it is in the ledger", async () => {
    await speech({ reset: true });
    const { lectureId, cookie } = await createRecorder();
    const page = await listen({ cookie });
    const line = await Line.open(lectureId, { cookie });
    line.send({ type: "config", sampleRate: 16_000, language: "en" });
    await line.message("timer");
    const { chunks } = spoken({ to: 3 });
    chunks.forEach((pcm, seq) => {
      line.audio(seq, pcm);
    });
    line.socket.close(1000);
    await expect.poll(() => page.messages).toEqual([changed]);
  });
});

describe("a page whose session has ended", () => {
  test("is notified at sign-out, and the user's other pages are not", async () => {
    const { browser, trpc, user, credentials } = await openSignedIn();
    const mine = await listen({ cookie: browser.cookie ?? "" });
    const other = await SELF.fetch(`${origin}/trpc/auth.signIn`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify(credentials),
    });
    const cookie = other.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const elsewhere = await listen({ cookie });
    await trpc.auth.signOut.mutate();
    await expect.poll(() => mine.closed).toBe(1008);
    await services.userEvents.reportProfileChange(user.id);
    await expect.poll(() => elsewhere.messages).toEqual([changed]);
    expect(elsewhere.closed).toBeNull();
    expect(mine.messages).toEqual([]);
  });

  test("is notified when the account is deleted", async () => {
    const { browser, trpc } = await openSignedIn();
    const page = await listen({ cookie: browser.cookie ?? "" });
    await trpc.auth.deleteAccount.mutate({ confirmation: "DELETE" });
    await expect.poll(() => page.closed).toBe(1008);
  });

  test("is found by the alarm if the channel was not notified", async () => {
    const { userId, cookie } = await createRecorder();
    const page = await listen({ cookie });
    expect(await runDurableObjectAlarm(getChannel(userId))).toBe(true);
    expect(page.closed).toBeNull();
    await services.db
      .update(sessions)
      .set({ expiresAt: new Date() })
      .where(eq(sessions.userId, userId));
    expect(await runDurableObjectAlarm(getChannel(userId))).toBe(true);
    await expect.poll(() => page.closed).toBe(1008);
    // No page is left to check.
    expect(await runDurableObjectAlarm(getChannel(userId))).toBe(false);
  });
});
