import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ChallengeAction } from "#shared/site.ts";
import { createCredentials, fromOwnPage, origin } from "#tests/worker/support/browser.ts";
import { connectTurnstile } from "#worker/adapters/turnstile.ts";
import { app } from "#worker/http/app.ts";

const siteKey = "1x00000000000000000000AA";
const secrets = {
  passes: "1x0000000000000000000000000000000AA",
  fails: "2x0000000000000000000000000000000AA",
  spent: "3x0000000000000000000000000000000AA",
};
const hostname = new URL(origin).hostname;

/** A token as the stand-in's widget creates it on a page of `page.hostname`. */
function createToken(page: { action: string; hostname: string }): string {
  const made = JSON.stringify({ ...page, id: crypto.randomUUID() });
  return `XXXX.DUMMY.TOKEN.XXXX.${btoa(made)}`;
}

let lastHost = 0;
/** A procedure of a site with the challenge, called from a separate address. */
async function callWith(
  secretKey: string,
  procedure: string,
  input: Record<string, unknown>,
): Promise<{ code: string; data: Record<string, unknown> }> {
  lastHost += 1;
  const context = createExecutionContext();
  const response = await app.request(
    `${origin}/trpc/${procedure}`,
    {
      method: "POST",
      headers: {
        ...fromOwnPage,
        "content-type": "application/json",
        "cf-connecting-ip": `2001:db8:c4a1:${lastHost.toString(16)}::1`,
      },
      body: JSON.stringify(input),
    },
    { ...env, TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey },
    context,
  );
  const body = (await response.json()) as {
    error?: { data: { appCode: string } };
    result?: { data?: Record<string, unknown> };
  };
  await waitOnExecutionContext(context);
  return { code: body.error?.data.appCode ?? "no error", data: body.result?.data ?? {} };
}

const guarded: [string, ChallengeAction, () => Record<string, unknown>][] = [
  ["auth.signUp", "sign_up", createCredentials],
  ["auth.forgotPassword", "forgot_password", () => ({ email: createCredentials().email })],
  ["recording.guestTicket", "guest_ticket", () => ({ previous: null })],
];

afterEach(() => vi.restoreAllMocks());

describe.each(guarded)("%s on a site with a challenge", (procedure, action, newInput) => {
  const call = (challenge: string | undefined, secret = secrets.passes) =>
    callWith(secret, procedure, { ...newInput(), ...(challenge && { challenge }) });

  it("is refused without a token", async () => {
    expect((await call(undefined)).code).toBe("challenge_required");
  });

  it("accepts a token once", async () => {
    const token = createToken({ action, hostname });
    expect((await call(token)).code).toBe("no error");
    expect((await call(token)).code).toBe("challenge_failed");
  });

  it("is refused if siteverify rejects the token or reports it as used", async () => {
    const token = () => createToken({ action, hostname });
    expect((await call(token(), secrets.fails)).code).toBe("challenge_failed");
    expect((await call(token(), secrets.spent)).code).toBe("challenge_failed");
    expect((await call("made up")).code).toBe("challenge_failed");
  });

  it("is refused with a token for another action or site", async () => {
    const actions = guarded.map(([, one]) => one).filter((one) => one !== action);
    for (const other of actions)
      expect((await call(createToken({ action: other, hostname }))).code).toBe("challenge_failed");
    const elsewhere = createToken({ action, hostname: "evil.test" });
    expect((await call(elsewhere)).code).toBe("challenge_failed");
    // This token names neither action nor site, so anybody may have it.
    expect((await call("XXXX.DUMMY.TOKEN.XXXX")).code).toBe("challenge_failed");
  });

  it("is `unavailable` while siteverify does not answer", async () => {
    const { fetch } = globalThis;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      if (String(input).includes("siteverify")) throw new TypeError("no line");
      return fetch(input, init);
    });
    expect((await call(createToken({ action, hostname }))).code).toBe("unavailable");
  });
});

it("renews a guest's ticket without a challenge, but not a forged one", async () => {
  const challenge = createToken({ action: "guest_ticket", hostname });
  const first = await callWith(secrets.passes, "recording.guestTicket", {
    previous: null,
    challenge,
  });
  const previous = String(first.data.ticket);
  const renewed = await callWith(secrets.fails, "recording.guestTicket", { previous });
  expect(renewed.data.recordingId).toBe(first.data.recordingId);
  const forged = await callWith(secrets.passes, "recording.guestTicket", {
    previous: `${previous}x`,
  });
  expect(forged.code).toBe("challenge_required");
});

describe("siteverify", () => {
  const said = (body: unknown, status = 200) => Response.json(body, { status });
  const verify = (answers: (() => Response)[]) => {
    const bodies: Record<string, unknown>[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      const answer = answers.shift();
      if (!answer) throw new TypeError("no line");
      return answer();
    });
    const verifier = connectTurnstile({ url: "https://challenges.test", secretKey: "secret" });
    const remoteAddress = "192.0.2.7";
    const result = verifier.verify({ token: "token", action: "sign_up", hostname, remoteAddress });
    return { bodies, result };
  };
  const passed = () => said({ success: true, "error-codes": [], hostname, action: "sign_up" });

  it("is retried with the same idempotency key and gets the caller's address", async () => {
    const { bodies, result } = verify([() => new Response("<p>502</p>", { status: 502 }), passed]);
    expect(await result).toBe(true);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject({
      secret: "secret",
      response: "token",
      remoteip: "192.0.2.7",
      idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it.each(["invalid-input-secret", "missing-input-secret"])(
    "lets nobody in on %s",
    async (code) => {
      const { result } = verify([() => said({ success: false, "error-codes": [code] }, 400)]);
      await expect(result).rejects.toMatchObject({ code: "unavailable" });
    },
  );

  it("admits nobody on an invalid answer", async () => {
    const { bodies, result } = verify([() => said({ ok: true }), () => said([])]);
    await expect(result).rejects.toMatchObject({ code: "unavailable" });
    expect(bodies).toHaveLength(2);
  });
});
