import { createExecutionContext, env, SELF } from "cloudflare:test";
import { inArray } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { folders, webhookEvents } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import { folderPageSize } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { addEverything, createMark } from "#tests/worker/support/owned-rows.ts";
import { signPayload } from "#tests/worker/support/stripe.ts";
import { cases, type Known } from "#tests/worker/tenancy/cases.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";
import worker from "#worker/index.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
type Account = Awaited<ReturnType<typeof openSignedIn>>;

describe("forged cursors", () => {
  let account: Account;
  const cursor = {
    chips: (text: string) => getErrorCode(account.trpc.folders.chips.query({ cursor: text })),
    trash: (text: string) => getErrorCode(account.trpc.trash.list.query({ cursor: text })),
    search: (text: string) =>
      getErrorCode(account.trpc.lectures.search.query({ query: "light", cursor: text })),
    list: (text: string) => getErrorCode(account.trpc.lectures.list.query({ cursor: text })),
  };
  const id = crypto.randomUUID();

  beforeAll(async () => {
    account = await openSignedIn();
  });

  it.each([
    ["a NUL in a name", "chips", JSON.stringify(["a\0b", id])],
    ["a very long name", "chips", JSON.stringify(["x".repeat(3_000), id])],
    ["the year 0", "trash", JSON.stringify(["0000-01-01T00:00:00Z", id])],
    ["a moment beyond the calendar", "trash", JSON.stringify([8.64e15, id])],
    ["a moment that is no date", "search", JSON.stringify([1, 8.7e15, id])],
    ["the year 10000", "search", JSON.stringify([1, 253_402_300_800_000, id])],
    ["a score beyond an integer", "search", JSON.stringify([2 ** 31, 0, id])],
    ["a NUL", "chips", "\0"],
    ["a NUL in place of a date", "list", `\0.${id}`],
  ] as const)("%s is refused as invalid", async (_, where, text) => {
    expect(await cursor[where](text)).toBe("validation_failed");
  });

  it("never fail the server", async () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\0", "\ud800", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", id),
      fc.double(),
      fc.integer(),
      fc.constantFrom(2 ** 31, -(2 ** 31) - 1, 8.64e15, -1, 253_402_300_800_000, null),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.array(part, { maxLength: 4 }).map((parts) => JSON.stringify(parts)),
      fc.tuple(part, part).map((parts) => JSON.stringify([...parts, id])),
      part.map((first) => JSON.stringify([first, id])),
      fc.string({ maxLength: 12 }).map((time) => `${time}.${id}`),
    );
    await fc.assert(
      fc.asyncProperty(text, async (candidate) => {
        for (const call of Object.values(cursor))
          expect(["no error", "validation_failed"]).toContain(await call(candidate));
      }),
      { numRuns: countRuns(12) },
    );
  });

  it("do not include the cursors of pages, which parse to themselves", async () => {
    const now = new Date();
    await db.insert(folders).values(
      Array.from({ length: folderPageSize + 1 }, (_, n) => ({
        userId: account.user.id,
        name: `\u{1d11e} "${n}" \\ 文`,
        createdAt: now,
        updatedAt: now,
      })),
    );
    const first = await account.trpc.folders.chips.query({});
    const second = await account.trpc.folders.chips.query({ cursor: first.nextCursor });
    const ids = [...first.folders, ...second.folders].map((folder) => folder.id);
    expect(new Set(ids).size).toBe(folderPageSize + 1);
  });
});

describe("malformed addresses", () => {
  it.each(["/trpc/%", "/trpc/%ff", "/trpc/site.info,%", "/trpc/%E0%A4%A?batch=1&input=%7B%7D"])(
    "answers %s as a procedure's error",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        const response = await SELF.fetch(origin + path, {
          method,
          headers: { origin, "content-type": "application/json" },
          ...(method === "POST" ? { body: "{}" } : {}),
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          error: { data: { httpStatus: 400, appCode: "validation_failed" } },
        });
      }
    },
  );

  it.each([
    "/trpc/site.info?input=%",
    "/trpc/site.info?input=%ff",
    "/trpc/site.info?batch=1&input=%00",
    "/trpc/site.info?batch=1&input=null",
    "/trpc/site.info?batch=1&input=[]",
    "/trpc/lectures.list?batch=1&input=%7B%220%22:7%7D",
    "/trpc/%00",
    "/trpc/,,,,",
  ])("%s is no failure of the server", async (path) => {
    expect((await SELF.fetch(origin + path)).status).toBeLessThan(500);
  });
});

describe("a signed webhook", () => {
  const event = {
    id: "evt_1",
    type: "customer.subscription.updated",
    data: { object: { id: "sub_1", customer: "cus_1" as unknown } },
  };
  const about = (object: object) => ({
    ...event,
    data: { object: { ...event.data.object, ...object } },
  });

  it.each([
    ["its id", { ...event, id: "evt_\0" }],
    ["its type", { ...event, type: "customer.\0" }],
    ["the customer", about({ customer: "cus_\0" })],
    ["the expanded customer", about({ customer: { id: "cus_\0" } })],
    ["the object", about({ id: "sub_\0" })],
  ])("with a NUL in %s is refused, and nothing is written", async (_, body) => {
    const text = JSON.stringify(body);
    const request = new Request(`${origin}/api/stripe/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": await signPayload(text) },
      body: text,
    });
    const response = await worker.fetch(request, env as Cloudflare.Env, createExecutionContext());
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code: "validation_failed" } });
    // Other tests' events arrive meanwhile.
    expect(await db.$count(webhookEvents, inArray(webhookEvents.id, [event.id, "evt_"]))).toBe(0);
  });
});

/** The key of a record is also text from outside. */
const recordKey = Symbol("key of a record");
type Path = (string | number | typeof recordKey)[];

/** Lists the paths of strings in the inputs that `schema` accepts. */
function stringPaths(schema: z.core.JSONSchema._JSONSchema, at: Path = []): Path[] {
  if (typeof schema === "boolean") return [];
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const paths = variants.flatMap((one) => stringPaths(one, at));
  if (schema.type === "string") paths.push(at);
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    paths.push(...stringPaths(one, [...at, name]));
  if (schema.items && !Array.isArray(schema.items))
    paths.push(...stringPaths(schema.items, [...at, 0]));
  if (typeof schema.additionalProperties === "object") {
    paths.push(...stringPaths(schema.additionalProperties, [...at, "key"]));
    paths.push([...at, recordKey]);
  }
  return paths;
}

/** Returns `value` with `text` at `path`. If the path ends in a record's key, that key is `text`. */
function withText(value: unknown, [head, ...rest]: Path, text: string): unknown {
  if (head === undefined) return text;
  if (head === recordKey) return { [text]: "x" };
  if (typeof head === "number")
    return [withText(Array.isArray(value) ? value[0] : undefined, rest, text)];
  const record = typeof value === "object" && value !== null ? value : {};
  return { ...record, [head]: withText((record as Record<string, unknown>)[head], rest, text) };
}

const declared = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { inputs: z.ZodMiniType[] } }
>;

const attacks = procedures.flatMap(({ path, type, access }) =>
  (declared[path]?._def.inputs ?? [])
    .flatMap((schema) =>
      stringPaths(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })),
    )
    .map((at) => ({ path, type, access, at })),
);

const nameAttack = ({ path, at }: { path: string; at: Path }) =>
  `${path} ${at.map(String).join(".")}`;

/** So many have two calls each within what an account may call at once. */
const attacksPerAccount = 20;
const attacksByAccount = Array.from(
  { length: Math.ceil(attacks.length / attacksPerAccount) },
  (_, n) => attacks.slice(n * attacksPerAccount, (n + 1) * attacksPerAccount),
);

describe("every string of every procedure", () => {
  it("is found by reflection", () => {
    const paths = attacks.map(nameAttack);
    expect(paths.length).toBeGreaterThan(40);
    for (const one of [
      "lectures.saveRows entries.0.original",
      "lectures.saveRows deleted.0.id",
      "lectures.change speakerNames.Symbol(key of a record)",
      "lectures.list title",
      "folders.create name",
      "folders.chips cursor",
      "auth.signIn email",
    ])
      expect(paths).toContain(one);
  });

  describe.each(attacksByAccount.map((some) => [some.map(nameAttack)[0], some] as const))(
    "from %s on",
    (_, some) => {
      let known: Known;
      let account: Account;
      beforeAll(async () => {
        account = await openSignedIn();
        const owned = await addEverything(db, account.user.id, createMark());
        known = {
          ...owned,
          email: account.user.email,
          userId: account.user.id,
          storedHash: "hash",
        };
      });

      it.each(some.map((attack) => [nameAttack(attack), attack] as const))(
        "accepts a NUL and half of a surrogate pair in %s without failing",
        async (_, { path, type, at }) => {
          const valid = cases[path]?.input(known);
          const texts = ["a\0b", "broken \ud834 pair"];
          const inputs = JSON.stringify({ ...texts.map((text) => withText(valid, at, text)) });
          const both = `/trpc/${path},${path}?batch=1`;
          const response =
            type === "query"
              ? await account.browser.fetch(`${both}&input=${encodeURIComponent(inputs)}`)
              : await account.browser.fetch(both, {
                  method: "POST",
                  headers: { "content-type": "application/json" },
                  body: inputs,
                });
          const answers: { error?: { data: { httpStatus: number } } }[] = await response.json();
          expect(answers).toHaveLength(texts.length);
          for (const { error } of answers) expect(error?.data.httpStatus ?? 200).toBeLessThan(500);
        },
      );
    },
  );
});
