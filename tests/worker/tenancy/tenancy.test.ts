import { env } from "cloudflare:test";
import { beforeAll, describe, expect, test } from "vitest";
import { getNeededScope } from "#server/programs/token-access.ts";
import { guestTicketHeader } from "#shared/site.ts";
import { openBrowser, openProgram, openSignedIn } from "#tests/worker/support/browser.ts";
import { addEverything, createMark, watchRows } from "#tests/worker/support/owned-rows.ts";
import { getServices } from "#worker/services.ts";
import { cases, type Known } from "./cases.ts";
import { type ProcedureInfo, procedures } from "./procedures.ts";

const { db } = getServices(env);
type Browser = ReturnType<typeof openBrowser>["browser"];

let known: Known;
let mark: string;
let ticket: string;
let readOwners: Awaited<ReturnType<typeof watchRows>>;
let owned: Awaited<ReturnType<typeof readOwners>>;

beforeAll(async () => {
  const { user } = await openSignedIn();
  mark = createMark();
  const { tokens: _, ...ids } = await addEverything(db, user.id, mark);
  known = { email: user.email, userId: user.id, ...ids, storedHash: mark };
  readOwners = await watchRows(db, user.id);
  owned = await readOwners();
  ({ ticket } = await openBrowser().trpc.recording.guestTicket.mutate({ previous: null }));
});

async function call(browser: Browser, { path, type }: ProcedureInfo, input: unknown) {
  if (cases[path]?.stream) return callStream(browser, path, input);
  const body = input === undefined ? undefined : JSON.stringify(input);
  const response =
    type === "query"
      ? await browser.fetch(
          `/trpc/${path}${body === undefined ? "" : `?input=${encodeURIComponent(body)}`}`,
        )
      : await browser.fetch(`/trpc/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          ...(body === undefined ? {} : { body }),
        });
  const text = await response.text();
  const answer = JSON.parse(text) as { error?: { data: { appCode: string } } };
  return { text, code: answer.error?.data.appCode ?? null };
}

/** The refusal among the streamed lines, or the values of all pieces. */
async function callStream(browser: Browser, path: string, input: unknown) {
  const response = await browser.fetch(`/trpc/${path}?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
    body: JSON.stringify({ 0: input }),
  });
  const text = await response.text();
  return { text, code: /"appCode":"(\w+)"/.exec(text)?.[1] ?? null };
}

/** Calls the procedure with everything known, and expects the owner's rows to be unchanged. */
async function attack(browser: Browser, procedure: ProcedureInfo) {
  const input = cases[procedure.path]?.input(known);
  const { text, code } = await call(browser, procedure, input);
  expect(await readOwners()).toEqual(owned);
  for (const secret of [mark, known.userId, known.email]) expect(text).not.toContain(secret);
  return code;
}

const findCase = ({ path }: ProcedureInfo) => {
  const found = cases[path];
  if (!found) throw new Error(`${path} has no case`);
  return found;
};

test("has a case and an access rule for every procedure, and no other case", () => {
  expect(procedures.filter(({ access }) => access === undefined)).toEqual([]);
  expect(Object.keys(cases).sort()).toEqual(procedures.map(({ path }) => path).sort());
  expect(procedures.length).toBeGreaterThan(20);
});

const named = procedures.map((procedure) => [procedure.path, procedure] as const);

describe("with no session", () => {
  const refusals = {
    public: null,
    guest: "unauthenticated",
    user: "unauthenticated",
    recovery: "token_invalid",
  };
  test.each(named)("%s", async (_, procedure) => {
    const { browser } = openBrowser();
    const code = await attack(browser, procedure);
    const refusal = procedure.access && refusals[procedure.access];
    const { stranger } = findCase(procedure);
    expect(code).toBe(refusal ?? (stranger.includes(" ") ? null : stranger));
    // No answer to a stranger signs them in.
    if (procedure.path !== "auth.signOut") expect(browser.cookie).toBeNull();
  });
});

describe("as a guest", () => {
  const refusals = {
    public: null,
    guest: null,
    user: "sign_in_required",
    recovery: "token_invalid",
  };
  test.each(named)("%s", async (_, procedure) => {
    const { browser } = openBrowser({ [guestTicketHeader]: ticket });
    const code = await attack(browser, procedure);
    const refusal = procedure.access && refusals[procedure.access];
    const { stranger, guest = stranger } = findCase(procedure);
    expect(code).toBe(refusal ?? (guest.includes(" ") ? null : guest));
    expect(browser.cookie).toBeNull();
  });
});

describe("as another user with the owner's ids", () => {
  test.each(named)("%s", async (_, procedure) => {
    const { browser } = await openSignedIn();
    const { stranger } = findCase(procedure);
    const code = await attack(browser, procedure);
    expect(code).toBe(stranger.includes(" ") ? null : stranger);
  });
});

describe.each(["read", "write"] as const)("as a program of another user (%s)", (scope) => {
  test.each(named)("%s", async (_, procedure) => {
    const { user } = await openSignedIn();
    const { browser } = await openProgram(user.id, scope);
    const code = await attack(browser, procedure);
    const needed = getNeededScope(procedure.path, procedure.type);
    const { stranger } = findCase(procedure);
    if (needed === null) expect(code).toBe("sign_in_required");
    else if (needed === "write" && scope === "read") expect(code).toBe("scope_required");
    else expect(code).toBe(stranger.includes(" ") ? null : stranger);
    expect(browser.setCookies).toEqual([]);
  });
});

test("finds the owner's data in answers to the owner: the comparison works", async () => {
  const rows = await readOwners();
  expect(Object.values(rows).flat().length).toBeGreaterThan(10);
  expect(JSON.stringify(rows)).toContain(mark);
});
