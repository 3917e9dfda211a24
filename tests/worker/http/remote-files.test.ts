import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dailyCounters } from "#drizzle/schema.ts";
import { listRemoteUses } from "#server/remote-files/budget.ts";
import { mediaMaxBytes } from "#shared/limits.ts";
import {
  type RemoteFile,
  RemoteFileError,
  type RemoteFileInput,
  remoteFileHeader,
  remoteFilePath,
} from "#shared/remote-file.ts";
import { openBrowser, openProgram, openSignedIn } from "#tests/worker/support/browser.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { getServices } from "#worker/services.ts";

const services = getServices(env);
const { openRemoteFile, db, limits } = services;
type Account = Awaited<ReturnType<typeof openSignedIn>>;

const file: RemoteFile = {
  kind: "media",
  type: "audio/mpeg",
  charset: "",
  address: "https://files.example.org/a.mp3",
  name: "Week 3 – light.mp3",
  size: 300_000,
  from: 0,
  validator: '"1"',
};
const input = { address: file.address, from: 0, validator: null };

let asked: RemoteFileInput[];
let isClosed: boolean;
/** What the other site gives: the file, with pieces that may end early. */
let site: { over?: Partial<RemoteFile>; pieces?: number; fails?: boolean };

beforeEach(() => {
  asked = [];
  isClosed = false;
  site = {};
  services.openRemoteFile = async (wanted) => {
    asked.push(wanted);
    const { over, pieces = 3, fails = false } = site;
    return {
      file: { ...file, ...over },
      pieces: (async function* () {
        for (let n = 0; n < pieces; n += 1) yield new Uint8Array(100_000).fill(n);
        if (fails) throw new RemoteFileError("slow");
      })(),
      close: () => {
        isClosed = true;
      },
    };
  };
});
afterEach(() => {
  services.openRemoteFile = openRemoteFile;
});

const post = (
  { browser }: Pick<ReturnType<typeof openBrowser>, "browser">,
  body: unknown = input,
  headers = {},
) =>
  browser.fetch(remoteFilePath, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const readCode = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

const getKey = ({ user }: Account) => listRemoteUses(user.id, 0)[0]?.key ?? "";

async function countBytes(account: Account): Promise<number> {
  const rows = await db
    .select({ amount: dailyCounters.amount })
    .from(dailyCounters)
    .where(eq(dailyCounters.key, getKey(account)));
  return Number(rows[0]?.amount ?? 0);
}

describe("a remote file", () => {
  test("comes as a download that no browser shows, with what is known of it", async () => {
    const account = await openSignedIn();
    const response = await post(account);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(300_000);
    const { headers } = response;
    expect(JSON.parse(decodeURIComponent(headers.get(remoteFileHeader) ?? ""))).toEqual(file);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(asked).toEqual([input]);
    await expect.poll(() => countBytes(account)).toBe(300_000);
    expect(isClosed).toBe(true);
  });

  test("says in the answer what the other site has done", async () => {
    services.openRemoteFile = () => Promise.reject(new RemoteFileError("redirects"));
    const response = await post(await openSignedIn());
    expect([response.status, await response.json()]).toEqual([422, { problem: "redirects" }]);
  });

  test("breaks off when it does, and counts what has come", async () => {
    site = { pieces: 2, fails: true };
    const account = await openSignedIn();
    const response = await post(account);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => countBytes(account)).toBe(200_000);
    expect(isClosed).toBe(true);
  });

  test("is not asked for beyond the day's bytes", async () => {
    const account = await openSignedIn();
    const day = new Date().toISOString().slice(0, 10);
    const amount = 2 * mediaMaxBytes - 250_000;
    await db.insert(dailyCounters).values({ day, key: getKey(account), amount });
    expect(await readCode(await post(account))).toEqual([429, "daily_limit_reached"]);
    expect(isClosed).toBe(true);
    site = { over: { from: 100_000 }, pieces: 2 };
    const response = await post(account, { ...input, from: 100_000 });
    expect((await response.arrayBuffer()).byteLength).toBe(200_000);
    // Of unknown length: it may be as long as a file may be.
    site = { over: { size: null } };
    expect(await readCode(await post(account))).toEqual([429, "daily_limit_reached"]);
  });

  test("is for accounts alone: not for guests, programs and other sites", async () => {
    expect(await readCode(await post(openBrowser()))).toEqual([401, "unauthenticated"]);
    const account = await openSignedIn();
    const program = await openProgram(account.user.id, "write");
    expect(await readCode(await post(program))).toEqual([401, "sign_in_required"]);
    const other = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await readCode(await post(account, input, other))).toEqual([403, "origin_refused"]);
    expect((await account.browser.fetch(remoteFilePath)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    { address: "https://a.example.org/" },
    { ...input, from: -1 },
    { ...input, from: 1.5 },
    { ...input, from: mediaMaxBytes + 1 },
    { ...input, address: `https://a.example.org/${"x".repeat(2_000)}` },
    { ...input, validator: "a\r\nhost: b" },
    { ...input, validator: "x".repeat(201) },
  ])("is refused for bad input: %j", async (body) => {
    expect(await readCode(await post(await openSignedIn(), body))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(asked).toEqual([]);
  });

  test("is refused to a large body, and to an account that asks too often", async () => {
    const account = await openSignedIn();
    const large = JSON.stringify({ ...input, x: "x".repeat(10_000) });
    expect(await readCode(await post(account, large))).toEqual([413, "payload_too_large"]);
    await useUp(limits.remoteFiles, `user:${account.user.id}`);
    expect(await readCode(await post(account))).toEqual([429, "rate_limited"]);
    expect(asked).toEqual([]);
  });
});

describe("the embedded stack's stand-in for other sites", () => {
  const standIn = `${services.env.remoteStandIn}`;
  const put = (path: string, type: string, body: string) =>
    fetch(standIn + path, { method: "PUT", headers: { "content-type": type }, body });

  beforeEach(() => {
    services.openRemoteFile = openRemoteFile;
  });

  test("is read by the worker, also from a byte on", async () => {
    const path = `${crypto.randomUUID()}.wav`;
    const body = `RIFF----WAVE${"x".repeat(200_000)}`;
    await put(path, "audio/wav", body);
    const account = await openSignedIn();
    const address = standIn + path;
    const whole = await post(account, { ...input, address });
    expect(await whole.text()).toBe(body);
    const facts: RemoteFile = JSON.parse(
      decodeURIComponent(whole.headers.get(remoteFileHeader) ?? ""),
    );
    expect(facts).toMatchObject({ size: body.length, address, from: 0 });
    const rest = await post(account, { address, from: 150_000, validator: facts.validator });
    expect(await rest.text()).toBe(body.slice(150_000));
  });

  test("is all of this machine that the worker reads", async () => {
    const account = await openSignedIn();
    for (const address of [`${services.env.outboxUrl}`, "http://127.0.0.1/", "http://[::1]/"]) {
      const response = await post(account, { ...input, address });
      expect([response.status, await response.json()]).toEqual([422, { problem: "address" }]);
    }
  });
});
