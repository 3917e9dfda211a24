import { Resend } from "resend";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Outbox } from "#local/mail/outbox.ts";
import { createMailStandIn } from "#local/mail/stand-in.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

let server: Awaited<ReturnType<typeof serve>>;
let resend: Resend;
let now: Date;
let waits: number[];

beforeEach(async () => {
  now = new Date("2026-11-20T12:00:00.000Z");
  waits = [];
  const wait = async (ms: number) => void waits.push(ms);
  server = await serve(createMailStandIn({ now: () => now, wait }));
  resend = new Resend("re_any", { baseUrl: `${server.url}/mail` });
});
afterEach(() => server.close());

const email = (to: string | string[] = "reader@example.org") => ({
  from: "Dualect <hello@dualect.test>",
  to,
  subject: "A <subject>",
  html: "<p>Words</p>",
  text: "Words https://dualect.test/verify?a=1&b=2",
});
const getPage = (path: string) => fetch(`${server.url}/mail/${path}`);
/** The stored mails, newest first; with `to`, those to this address. */
const listMails = async (to?: string) => {
  const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  const { emails } = (await (await getPage(`outbox.json${query}`)).json()) as {
    emails: { id: string; to: string[]; subject: string; createdAt: string }[];
  };
  return emails;
};
const injectFailure = (body: object) => control(server.url, "/mail/", body);

describe("the official client", () => {
  test("sends a mail to the outbox", async () => {
    const { data, error } = await resend.emails.send(email());
    expect(error).toBeNull();
    expect(await listMails()).toEqual([
      { id: data?.id, ...email(["reader@example.org"]), createdAt: now.toISOString() },
    ]);
  });

  test("stores a mail with the same key once in a day", async () => {
    const send = (to = "reader@example.org") =>
      resend.emails.send(email(to), { idempotencyKey: "signup/1" });
    const first = await send();
    const again = await send();
    expect(again.data).toEqual(first.data);
    expect(await listMails()).toHaveLength(1);

    const other = await send("another@example.org");
    expect(other.error).toMatchObject({ statusCode: 409, name: "invalid_idempotent_request" });

    now = new Date(now.getTime() + 24 * 3_600_000);
    expect((await send("another@example.org")).data?.id).not.toBe(first.data?.id);
    expect(await listMails()).toHaveLength(2);
  });

  test.each([
    [{ from: "nobody" }, 422, "invalid_from_address"],
    [{ to: "nobody" }, 422, "validation_error"],
    [{ to: [] }, 422, "validation_error"],
    [{ subject: undefined }, 422, "missing_required_field"],
    [{ html: undefined, text: undefined }, 422, "missing_required_field"],
  ])("gets the error of the service for %j", async (change, statusCode, name) => {
    const wrong = { ...email(), ...change } as ReturnType<typeof email>;
    expect(await resend.emails.send(wrong)).toMatchObject({
      data: null,
      error: { statusCode, name, message: expect.any(String) },
    });
    expect(await listMails()).toEqual([]);
  });

  test("gets an error for a long key, missing credentials, an unknown path and an unknown method", async () => {
    const rejected = await resend.emails.send(email(), { idempotencyKey: "x".repeat(257) });
    expect(rejected.error).toMatchObject({ statusCode: 400, name: "invalid_idempotency_key" });
    const url = `${server.url}/mail/emails`;
    const post = (path: string) =>
      fetch(path, { method: "POST", body: JSON.stringify(email()) }).then((r) => r.json());
    expect(await post(url)).toMatchObject({ statusCode: 401, name: "missing_api_key" });
    expect(await post(`${url}/x`)).toMatchObject({ statusCode: 404, name: "not_found" });
    const put = await fetch(url, { method: "PUT" });
    expect([put.status, await put.json()]).toEqual([
      405,
      { statusCode: 405, name: "method_not_allowed", message: expect.any(String) },
    ]);
  });
});

describe("the outbox", () => {
  test("lists by address in any case, newest first", async () => {
    await resend.emails.send({ ...email("Reader <Reader@Example.org>"), subject: "first" });
    await resend.emails.send({ ...email("other@example.org"), subject: "second" });
    await resend.emails.send({ ...email(), subject: "third" });
    expect((await listMails("READER@example.org")).map(({ subject }) => subject)).toEqual([
      "third",
      "first",
    ]);
    expect(await listMails("example.org")).toEqual([]);
  });

  test("keeps the newest 500 mails", () => {
    const outbox = new Outbox(() => now);
    for (let n = 0; n < 505; n += 1)
      outbox.add({ ...email(), to: ["reader@example.org"], subject: `${n}` }, null);
    const subjects = outbox.list("reader@example.org").map(({ subject }) => subject);
    expect(subjects).toHaveLength(500);
    expect(subjects[0]).toBe("504");
    expect(subjects.at(-1)).toBe("5");
  });

  test("shows mails on pages without scripts, with a notice", async () => {
    const { data } = await resend.emails.send({
      ...email(),
      subject: "<script>alert(1)</script>",
      html: "<script>alert(2)</script>",
    });
    for (const path of ["", data?.id ?? "", `${data?.id}/html`]) {
      const response = await getPage(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
      const html = await response.text();
      expect(html).not.toContain("<script>alert(1)");
      if (!path.endsWith("/html")) expect(html).toMatch(/stands in for the e-mail service/);
    }
    const page = await (await getPage(data?.id ?? "")).text();
    expect(page).toContain('<a href="https://dualect.test/verify?a=1&amp;b=2">');
    expect((await getPage("nothing")).status).toBe(404);
    expect((await getPage(`${data?.id}/other`)).status).toBe(404);
  });
});

describe("failure injection", () => {
  test("answers with a status for `count` mails", async () => {
    await injectFailure({ fail: 429, count: 1 });
    expect((await resend.emails.send(email())).error).toMatchObject({
      statusCode: 429,
      name: "rate_limit_exceeded",
    });
    expect((await resend.emails.send(email())).error).toBeNull();
    expect(await listMails()).toHaveLength(1);
  });

  test("stores a mail whose answer is lost, and stores it once when it is sent again with its key", async () => {
    await injectFailure({ fail: "lose-answer", count: 1 });
    const key = { idempotencyKey: "recovery/1" };
    expect((await resend.emails.send(email(), key)).error).toMatchObject({ statusCode: null });
    expect(await listMails()).toHaveLength(1);
    expect((await resend.emails.send(email(), key)).error).toBeNull();
    expect(await listMails()).toHaveLength(1);
  });

  test("applies `refuse`, `garbage` and `delayMs` to one address, and empties everything on reset", async () => {
    await injectFailure({ fail: "refuse", to: "reader@", count: 1 });
    expect((await resend.emails.send(email("other@example.org"))).error).toBeNull();
    expect((await resend.emails.send(email())).error).toMatchObject({ statusCode: null });
    await injectFailure({ reset: true, fail: "garbage", delayMs: 300 });
    expect((await resend.emails.send(email())).data).toBeNull();
    expect(waits.at(-1)).toBe(300);
    await injectFailure({ reset: true });
    expect(await listMails()).toEqual([]);
    expect((await resend.emails.send(email())).error).toBeNull();
  });

  test.each([[{ fail: 200 }], [{ fail: "explode" }], [{ count: 0 }], [{ x: 1 }]])(
    "rejects %j",
    async (body) => {
      await expect(injectFailure(body)).rejects.toThrow("Invalid value");
    },
  );
});
