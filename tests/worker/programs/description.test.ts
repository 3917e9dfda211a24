import { env, SELF } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { users } from "#drizzle/schema.ts";
import { findAnswer } from "#server/programs/answers.ts";
import { getNeededScope } from "#server/programs/token-access.ts";
import { streamedProcedures } from "#shared/streamed-procedures.ts";
import { openProgram, openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { addEverything, createMark } from "#tests/worker/support/owned-rows.ts";
import { cases, type Known } from "#tests/worker/tenancy/cases.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";
import { getServices } from "#worker/services.ts";

/** Calls every procedure as its description says, for one who knows nothing of tRPC. */

const { db } = getServices(env);

interface Operation {
  parameters?: { name: string; in: string; schema: { enum?: string[] } }[];
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> };
  responses: { default: { $ref: string } };
}

interface ErrorSchema {
  type?: string;
  items?: object;
}

interface Description {
  servers: { url: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: {
    responses: {
      ErrorOfStream: { content: { "application/json": { schema: { anyOf: ErrorSchema[] } } } };
    };
  };
}

let description: Description;

beforeAll(async () => {
  const answer = await SELF.fetch(`${origin}/api/openapi.json`);
  description = await answer.json();
});

/** A user with something of everything, and a program of theirs. */
async function openOwner() {
  const { user } = await openSignedIn();
  // Who invites others has confirmed their address.
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, user.id));
  const mark = createMark();
  const { tokens: _, ...ids } = await addEverything(db, user.id, mark);
  const owner: Known = { email: user.email, userId: user.id, ...ids, storedHash: mark };
  return { owner, ...(await openProgram(user.id)) };
}

async function callAsDescribed(path: string, input: unknown, headers: Record<string, string>) {
  const { paths, servers } = description;
  const { get, post } = paths[`/${path}`] ?? {};
  const operation = get ?? post;
  if (!operation) throw new Error(`${path} is not described`);
  const url = new URL(`${servers[0]?.url}/${path}`);
  const sent = new Headers(headers);
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    const value = schema.enum?.[0] ?? JSON.stringify(input);
    if (place === "header") sent.set(name, value);
    else url.searchParams.set(name, value);
  }
  if (get) return SELF.fetch(url.href, { headers: sent });
  const [type = "", content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  sent.set("content-type", type);
  const isWrapped = content?.schema.required?.join() === "0";
  return SELF.fetch(url.href, {
    method: "POST",
    headers: sent,
    body: JSON.stringify(isWrapped ? { 0: input } : input),
  });
}

const open = procedures.filter(({ path, type }) => getNeededScope(path, type) !== null);

/** Codes with which a valid input may be refused because of what the owner has, or of what its tests' model says. */
const refusals = /^(not_found|conflict|llm_unusable)$/;

describe("a call as the description says", () => {
  it.each(open.map(({ path }) => path))(
    "%s is accepted, and its answer is as described",
    async (path) => {
      const { owner, authorization } = await openOwner();
      const input = cases[path]?.input(owner);
      const answer = await callAsDescribed(path, input, { authorization });
      const text = await answer.text();
      if (streamedProcedures.has(path)) {
        expect([answer.status, answer.headers.get("content-type")]).toEqual([
          200,
          "application/jsonl",
        ]);
        expect(text).not.toContain("validation_failed");
        return;
      }
      const body = JSON.parse(text);
      if (body.error) {
        expect(body.error.data.appCode).toMatch(refusals);
        return;
      }
      expect(answer.status).toBe(200);
      const { error } = z.safeParse(findAnswer(path), body.result.data);
      expect(error?.issues).toBeUndefined();
    },
  );

  it.each(open.flatMap(({ path, access }) => (access === "public" ? [path] : [])))(
    "%s needs no token",
    async (path) => {
      expect((await callAsDescribed(path, undefined, {})).status).toBe(200);
    },
  );
});

describe("a refusal", () => {
  it("names the field and the rule", async () => {
    const { owner, authorization } = await openOwner();
    const lectureId = owner.lectureId;
    const readIssues = async (path: string, input: unknown) => {
      const answer = await callAsDescribed(path, input, { authorization });
      const body: { error: { data: { issues: unknown } } } = await answer.json();
      return body.error.data.issues;
    };
    expect(await readIssues("lectures.search", { query: "x".repeat(201), lectureId: 7 })).toEqual([
      { field: "query", rule: "too_big", maximum: 200 },
      { field: "lectureId", rule: "invalid_type", expected: "string" },
    ]);
    expect(await readIssues("lectures.saveRows", { lectureId, entries: [], deleted: [] })).toEqual([
      { field: "", rule: "custom", message: "nothing to save" },
    ]);
    const changes = [{ id: owner.termId, note: 5 }];
    expect(await readIssues("glossary.change", { folderId: null, changes })).toContainEqual({
      field: "changes.0.note",
      rule: "invalid_type",
      expected: "string",
    });
  });

  it("says in a header how long to wait", async () => {
    const { user } = await openSignedIn();
    const { authorization } = await openProgram(user.id);
    await useUp(getServices(env).limits.programs, `user:${user.id}`);
    const answer = await callAsDescribed("folders.list", undefined, { authorization });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("of a call that could stream is a batch of one, as described, where no stream is taken", async () => {
    const { user } = await openSignedIn();
    const { authorization } = await openProgram(user.id);
    await useUp(getServices(env).limits.programs, `user:${user.id}`);
    const body = JSON.stringify({ 0: { lectureId: crypto.randomUUID(), targetLanguage: "fr" } });
    const send = (credential: string) =>
      SELF.fetch(`${origin}/trpc/ai.summarize?batch=1`, {
        method: "POST",
        headers: { authorization: credential, "content-type": "application/json" },
        body,
      });
    const [limited, unknown] = [await send(authorization), await send("Bearer dualect_unknown")];
    const { post } = description.paths["/ai.summarize"] ?? {};
    expect(post?.responses.default.$ref).toBe("#/components/responses/ErrorOfStream");
    const { schema } = description.components.responses.ErrorOfStream.content["application/json"];
    const [one, list] = schema.anyOf;
    expect([one?.type, list?.type, list?.items]).toEqual(["object", "array", one]);
    expect([limited.status, await limited.json()]).toMatchObject([
      429,
      [{ error: { data: { appCode: "rate_limited" } } }],
    ]);
    expect([unknown.status, await unknown.json()]).toMatchObject([
      401,
      { error: { data: { appCode: "unauthenticated" } } },
    ]);
  });
});
