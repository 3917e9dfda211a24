import { env, SELF } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { personalTokens, sessions } from "#drizzle/schema.ts";
import { recentSignInMs } from "#server/auth/recent-sign-in.ts";
import type { LecturePage } from "#shared/lecture.ts";
import { personalTokensMax } from "#shared/limits.ts";
import { createEntry } from "#tests/worker/sharing/support.ts";
import { openProgram, openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const read = { name: "Notes", scope: "read" } as const;

/** `lectures.list` as a program calls it that knows nothing of tRPC. */
const listWith = (headers: Record<string, string>) =>
  SELF.fetch(`${origin}/trpc/lectures.list?input=%7B%7D`, { headers });

async function addLecture({ trpc }: Awaited<ReturnType<typeof openSignedIn>>) {
  const id = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id, title: "Optics", targetLanguage: "fr" });
  return id;
}

describe("a personal token", () => {
  it("is made by its user, who sees it once, and calls procedures from anywhere", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const { secret, token } = await account.trpc.tokens.create.mutate(read);
    expect(secret).toMatch(/^dualect_[\w-]{43}$/);
    const days = (Date.parse(token.expiresAt) - Date.parse(token.createdAt)) / 86_400_000;
    expect({ ...token, days }).toMatchObject({ ...read, lastUsedAt: null, days: 90 });
    expect(await account.trpc.tokens.list.query()).toEqual([token]);
    const rows = await db.select().from(personalTokens);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(8));

    const response = await listWith({ authorization: `Bearer ${secret}` });
    expect(await response.json()).toMatchObject({ result: { data: { items: [{ id }] } } });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("gets answers of this version without a header", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const entries = [createEntry("Light", 0)];
    await account.trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
    const { authorization } = await openProgram(account.user.id, "read");
    const input = encodeURIComponent(JSON.stringify({ id }));
    const answer = await SELF.fetch(`${origin}/trpc/lectures.get?input=${input}`, {
      headers: { authorization },
    });
    const body: { result: { data: LecturePage } } = await answer.json();
    const [row, ...others] = body.result.data.entries;
    expect(row).toEqual({ ...entries[0], seq: 1 });
    expect(others).toEqual([]);
  });

  it("notes its use once a minute", async () => {
    const { user } = await openSignedIn();
    const { token, trpc } = await openProgram(user.id);
    const readUse = async () => {
      const [row] = await db.select().from(personalTokens).where(eq(personalTokens.id, token.id));
      return row?.lastUsedAt?.getTime() ?? null;
    };
    const setUse = (lastUsedAt: Date) =>
      db.update(personalTokens).set({ lastUsedAt }).where(eq(personalTokens.id, token.id));
    await trpc.folders.list.query();
    await expect.poll(readUse).toBeGreaterThan(Date.now() - 10_000);
    const recent = Date.now() - 50_000;
    await setUse(new Date(recent));
    await trpc.folders.list.query();
    expect(await readUse()).toBe(recent);
    await setUse(new Date(Date.now() - 61_000));
    await trpc.folders.list.query();
    await expect.poll(readUse).toBeGreaterThan(Date.now() - 10_000);
  });

  it("fails from its revocation on, and at its end", async () => {
    const { trpc, user } = await openSignedIn();
    const [one, other] = [await openProgram(user.id), await openProgram(user.id)];
    await one.trpc.folders.list.query();
    await trpc.tokens.revoke.mutate({ id: one.token.id });
    expect(await getErrorCode(one.trpc.folders.list.query())).toBe("unauthenticated");
    await other.trpc.folders.list.query();
    await db
      .update(personalTokens)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(personalTokens.id, other.token.id));
    expect(await getErrorCode(other.trpc.folders.list.query())).toBe("unauthenticated");
    // Also where a call needs nobody.
    expect(await getErrorCode(other.trpc.site.info.query())).toBe("unauthenticated");
    expect(await getErrorCode(trpc.tokens.revoke.mutate({ id: one.token.id }))).toBe("not_found");
  });

  // Within a second: `end-with-token.test.ts`, where the time is the test's.
  it("ends an open stream after its revocation", async () => {
    const account = await openSignedIn();
    const lectureId = await addLecture(account);
    const entries = [createEntry("Light bends.", 0)];
    await account.trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
    const { token, trpc } = await openProgram(account.user.id);
    const services = getServices(env);
    const { llm } = services;
    const never = Promise.withResolvers<void>();
    services.llm = {
      ...llm,
      async *stream() {
        yield "Light ";
        await never.promise;
      },
    };
    try {
      const pieces = await trpc.ai.summarize.mutate({ lectureId, targetLanguage: "none" });
      const reader = pieces[Symbol.asyncIterator]();
      expect(await reader.next()).toMatchObject({ done: false });
      await account.trpc.tokens.revoke.mutate({ id: token.id });
      expect(await getErrorCode(reader.next())).toBe("unauthenticated");
    } finally {
      services.llm = llm;
      never.resolve();
    }
  });

  it("ends with a new password and with the account", async () => {
    const { trpc, user, credentials } = await openSignedIn();
    const first = await openProgram(user.id);
    const newPassword = "battery staple";
    await trpc.auth.changePassword.mutate({ currentPassword: credentials.password, newPassword });
    expect(await getErrorCode(first.trpc.folders.list.query())).toBe("unauthenticated");
    const second = await openProgram(user.id);
    await trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    expect(await getErrorCode(second.trpc.folders.list.query())).toBe("unauthenticated");
  });

  it("needs the password when the sign-in is not recent", async () => {
    const { trpc, user, credentials } = await openSignedIn();
    const createdAt = new Date(Date.now() - recentSignInMs - 1_000);
    await db.update(sessions).set({ createdAt }).where(eq(sessions.userId, user.id));
    expect(await getErrorCode(trpc.tokens.create.mutate(read))).toBe("reauthentication_required");
    const { password } = credentials;
    await trpc.tokens.create.mutate({ ...read, password });
  });

  it("is one of twenty at most, also when they are made at once", async () => {
    const { user } = await openSignedIn();
    const made = await Promise.allSettled(
      Array.from({ length: personalTokensMax + 3 }, () => openProgram(user.id)),
    );
    const count = made.filter(({ status }) => status === "fulfilled").length;
    expect(count).toBe(personalTokensMax);
    expect(await db.$count(personalTokens, eq(personalTokens.userId, user.id))).toBe(count);
  });
});

describe("beside a token", () => {
  it("no cookie counts", async () => {
    const account = await openSignedIn();
    const id = await addLecture(account);
    const stranger = await openSignedIn();
    const { authorization, token } = await openProgram(stranger.user.id);
    const cookie = account.browser.cookie ?? "";
    const response = await listWith({ authorization, cookie });
    expect(await response.text()).not.toContain(id);
    await stranger.trpc.tokens.revoke.mutate({ id: token.id });
    expect((await listWith({ authorization, cookie })).status).toBe(401);
    expect((await listWith({ authorization: "Bearer dualect_", cookie })).status).toBe(401);
    expect((await listWith({ cookie })).status).toBe(200);
  });
});

it("what it may call is described for everybody", async () => {
  const response = await SELF.fetch(`${origin}/api/openapi.json`);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toMatchObject({
    servers: [{ url: `${origin}/trpc` }],
    paths: { "/lectures.search": { get: { security: [{ token: ["read"] }] } } },
  });
});

describe("no token", () => {
  it("opens a recording or the user's channel", async () => {
    const { user } = await openSignedIn();
    const { authorization } = await openProgram(user.id);
    for (const path of [`/api/recordings/${crypto.randomUUID()}`, "/api/live"]) {
      const response = await SELF.fetch(origin + path, {
        headers: { authorization, upgrade: "websocket" },
      });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toEqual({ error: { code: "sign_in_required" } });
    }
  });

  it("uses up what its user's pages may call", async () => {
    const { user, trpc } = await openSignedIn();
    const [one, other] = [await openProgram(user.id), await openProgram(user.id)];
    await useUp(getServices(env).limits.programs, `user:${user.id}`);
    for (const program of [one, other])
      expect(await getErrorCode(program.trpc.folders.list.query())).toBe("rate_limited");
    await trpc.folders.list.query();
  });
});
