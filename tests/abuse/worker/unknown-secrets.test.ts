import { env, SELF } from "cloudflare:test";
import { expect, it } from "vitest";
import { createSecret, sha256 } from "#server/auth/secrets.ts";
import { createSessions } from "#server/auth/sessions.ts";
import { shareCodeBytes } from "#shared/share.ts";
import { ReaderPage, shareLecture } from "#tests/worker/sharing/support.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import { getServices } from "#worker/services.ts";

const { db, limits } = getServices(env);

/** A new network address. */
const newAddress = () => {
  const [low, high] = crypto.getRandomValues(new Uint16Array(2));
  return `2001:${low?.toString(16)}:${high?.toString(16)}::1`;
};

/** Uses up what the address may guess, but for the guess with which the isolate learns that. */
async function useUpGuesses(address: string): Promise<void> {
  const headers = { "cf-connecting-ip": address };
  const key = getAddressKey(new Request(origin, { headers })) ?? "";
  await useUp(limits.unknownSecrets, key, 20);
}

const callWith = async (address: string, headers: Record<string, string>) => {
  const url = `${origin}/trpc/site.info`;
  const answer = await SELF.fetch(url, { headers: { "cf-connecting-ip": address, ...headers } });
  await answer.body?.cancel();
  return answer;
};

type Door = (secret: string, address: string) => Promise<Response>;

const doors: [string, Door, (secret: string) => string][] = [
  [
    "sessions' cookies",
    (secret, address) => callWith(address, { cookie: `dualect_session=${secret}` }),
    sha256,
  ],
  [
    "recovery cookies",
    (secret, address) => callWith(address, { cookie: `dualect_recovery=${secret}` }),
    sha256,
  ],
  [
    "access tokens",
    (secret, address) => callWith(address, { authorization: `Bearer ${secret}` }),
    sha256,
  ],
  [
    "personal tokens",
    (secret, address) => callWith(address, { authorization: `Bearer dualect_${secret}` }),
    (secret) => sha256(`dualect_${secret}`),
  ],
];

/** The queries that name one of the hashes, while `run` runs; other tests may call the database meanwhile. */
async function countQueries(hashes: readonly string[], run: () => Promise<void>): Promise<number> {
  const { fetch } = globalThis;
  let count = 0;
  globalThis.fetch = (input, init) => {
    const body = String(init?.body);
    if (hashes.some((hash) => body.includes(hash))) count += 1;
    return fetch(input, init);
  };
  try {
    await run();
  } finally {
    globalThis.fetch = fetch;
  }
  return count;
}

it.each(doors)(
  "unknown %s cost one query each, and none once they are too many",
  async (_, open, hash) => {
    const address = newAddress();
    const secret = createSecret();
    const twice = await countQueries([hash(secret)], async () => {
      await open(secret, address);
      await open(secret, address);
    });
    expect(twice).toBe(1);

    await useUpGuesses(address);
    expect((await open(createSecret(), address)).status).not.toBe(429);
    const more = Array.from({ length: 20 }, () => createSecret());
    const queries = await countQueries(more.map(hash), async () => {
      for (const guess of more) {
        const answer = await open(guess, address);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
      }
    });
    expect(queries).toBe(0);
  },
);

it("a session that was used lately goes on behind an address from which somebody guesses", async () => {
  const address = newAddress();
  const [account, newcomer] = [await openSignedIn(), await openSignedIn()];
  const cookie = (await createSessions(db, { secure: false }).start(account.user.id)).split(";")[0];
  const listWith = (value: string | null | undefined) =>
    SELF.fetch(`${origin}/trpc/folders.list`, {
      headers: { "cf-connecting-ip": address, cookie: value ?? "" },
    });
  expect((await listWith(cookie)).status).toBe(200);
  await useUpGuesses(address);
  await callWith(address, { cookie: `dualect_session=${createSecret()}` });
  expect((await listWith(cookie)).status).toBe(200);
  expect((await listWith(newcomer.browser.cookie)).status).toBe(429);
});

it("unknown codes of shares cost one query each, and none once they are too many", async () => {
  const address = newAddress();
  const readEnd = async (code: string) => {
    const page = await ReaderPage.open({ code }, { "cf-connecting-ip": address });
    await expect.poll(() => page.end).not.toBeNull();
    return page.end;
  };
  const code = createSecret(shareCodeBytes);
  const twice = await countQueries([sha256(code)], async () => {
    for (let n = 0; n < 2; n += 1) expect(await readEnd(code)).toBe("unknown");
  });
  expect(twice).toBe(1);
  await useUpGuesses(address);
  expect(await readEnd(createSecret(shareCodeBytes))).toBe("unknown");
  const shared = await shareLecture();
  const more = [createSecret(shareCodeBytes), shared.code];
  const queries = await countQueries(more.map(sha256), async () => {
    for (const guess of more) expect(await readEnd(guess)).toBe("rate_limited");
  });
  expect(queries).toBe(0);
});
