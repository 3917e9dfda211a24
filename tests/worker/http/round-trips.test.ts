import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { sessions, shares, users, webhooks } from "#drizzle/schema.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { addEverything, createMark } from "#tests/worker/support/owned-rows.ts";
import { cases, type Known } from "#tests/worker/tenancy/cases.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";
import { getServices } from "#worker/services.ts";

/**
 * How often a call waits for the database. Each time costs the way from the edge to the database and back, tens of
 * milliseconds where they are far from each other: more than most statements take.
 */
const usual = { session: 1, work: 1 };
const more: Record<string, number> = {
  // Rows, and the model's budget.
  "actionItems.find": 3,
  // Text, the model's budget, and the title.
  "ai.context": 4,
  // Text, marks and slides, the version of the glossary and, the first time, its terms, the model's budget, and notes that are kept.
  "ai.summarize": 8,
  // Text, terms, slides, earlier questions, the budget, rows that were found before and after what has changed was indexed, and
  // what is kept of the answer.
  "ask.ask": 11,
  // Rows, marks, takes, slides and the share, at the same time.
  "backups.lecture": 6,
  // It finds the rows that the version before names by their place.
  "lectures.appendEntries": 3,
  "lectures.create": 3,
  // The person, the budget of mails, and the mail, whose link names the lecture.
  "people.invite": 4,
  // The rows, and the cards.
  "quiz.addCards": 3,
  // The question and the model's budget.
  "quiz.grade": 3,
  // What is known of the questions, and what they are now.
  "quiz.review": 3,
  // The lecture and the model's budget; of the stand-in's questions none is kept, which would be stored.
  "quiz.write": 3,
  // It begins by indexing what has changed since the last search.
  "lectures.search": 3,
};

const { db } = getServices(env);
let account: Awaited<ReturnType<typeof openSignedIn>>;
let known: Known;
let ids: readonly string[];

beforeAll(async () => {
  account = await openSignedIn();
  // A word of which the stand-in for the model makes a title.
  const mark = `${createMark()} physics`;
  // Who invites others has confirmed their address.
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, account.user.id));
  const owned = await addEverything(db, account.user.id, mark);
  known = { ...owned, email: account.user.email, userId: account.user.id, storedHash: "hash" };
  // The room of a share and the sender of webhooks read the database behind the answer.
  for (const table of [shares, webhooks])
    await db.delete(table).where(eq(table.userId, account.user.id));
  const own = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, account.user.id));
  // The mark is also in what the model is told, and the id of a session.
  const sessionIds = own.map(({ id }) => id).filter((id) => id !== mark);
  ids = [known.userId, known.lectureId, known.folderId, ...sessionIds];
});

/** Requests to the database that name this account or its rows; rooms of other tests may write meanwhile. */
async function countRoundTrips(call: () => Promise<void>): Promise<number> {
  const { fetch } = globalThis;
  let count = 0;
  globalThis.fetch = (input, init) => {
    if (ids.some((id) => String(init?.body).includes(id))) count += 1;
    return fetch(input, init);
  };
  await call().finally(() => {
    globalThis.fetch = fetch;
  });
  return count;
}

/**
 * Without those that end what the others need, those that a shared lecture refuses, those that a program has begun, and
 * those after whose answer a Durable Object reads the database.
 */
const isCalled = ({ path, access }: (typeof procedures)[number]) =>
  ["guest", "user"].includes(access ?? "") &&
  !/^(auth|connections|subscriptions|tokens|webhooks)\.|\.delete|^trash\.(empty|remove|restore)|^shares\.|^lectures\.(complete|move)/.test(
    path,
  );

it("calls the database as seldom as this", async () => {
  const counts: Record<string, number> = {};
  for (const { path, type } of procedures.filter(isCalled)) {
    const { input, stream } = cases[path] ?? {};
    const body = JSON.stringify(input?.(known));
    const call = async () => {
      const response =
        type === "query"
          ? await account.browser.fetch(
              `/trpc/${path}${body === undefined ? "" : `?input=${encodeURIComponent(body)}`}`,
            )
          : await account.browser.fetch(`/trpc/${path}${stream ? "?batch=1" : ""}`, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                ...(stream && { "trpc-accept": "application/jsonl" }),
              },
              body: stream ? `{"0":${body}}` : (body ?? ""),
            });
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      await response.text();
    };
    // The first search indexes what was written since the last one.
    if (path === "lectures.search") await call();
    counts[path] = await countRoundTrips(call);
  }
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(Object.keys(more)));
  const expected = Object.keys(counts).map((path) => [
    path,
    more[path] ?? usual.session + usual.work,
  ]);
  expect(counts).toEqual(Object.fromEntries(expected));
});
