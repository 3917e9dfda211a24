import { afterEach, expect, it, vi } from "vitest";
import { connectMailer } from "#worker/adapters/resend.ts";

afterEach(() => vi.restoreAllMocks());

const mailer = connectMailer({
  baseUrl: "https://mail.example",
  apiKey: "key",
  from: "Dualect <mail@dualect.example>",
});
const mail = {
  to: "reader@example.org",
  subject: "A subject",
  html: "<p>A text</p>",
  text: "A text",
  idempotencyKey: "signup/1",
};

/** Answers one call after the other; "none": there is no answer. Returns what was called. */
function answer(...answers: (Response | "none")[]) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    const next = answers.shift();
    if (next === undefined || next === "none") throw new TypeError("no connection");
    return next;
  });
}
const refuse = (status: number, name: string) =>
  Response.json({ statusCode: status, name, message: "to reader@example.org" }, { status });

it("sends a mail in the service's words", async () => {
  const calls = answer(Response.json({ id: "1" }));
  await mailer.send(mail);
  const [address, init] = calls.mock.calls[0] ?? [];
  expect(address).toBe("https://mail.example/emails");
  const { idempotencyKey, ...letter } = mail;
  const headers = new Headers(init?.headers);
  expect(headers.get("authorization")).toBe("Bearer key");
  expect(headers.get("idempotency-key")).toBe(idempotencyKey);
  expect(headers.get("user-agent")).toBe("Dualect");
  expect(JSON.parse(String(init?.body))).toEqual({
    from: "Dualect <mail@dualect.example>",
    ...letter,
  });
});

it.each([
  ["no answer", "none" as const],
  ["an error of the service", refuse(500, "internal_server_error")],
])("tries twice after %s", async (_name, first) => {
  const calls = answer(first, Response.json({ id: "1" }));
  await mailer.send(mail);
  expect(calls).toHaveBeenCalledTimes(2);
});

it("says why a mail was refused, without the address, and does not try again", async () => {
  const calls = answer(refuse(422, "validation_error"));
  await expect(mailer.send(mail)).rejects.toThrow(/^validation_error, status 422$/);
  expect(calls).toHaveBeenCalledTimes(1);
});

it("names what failed last", async () => {
  answer("none", new Response("<html>", { status: 502 }));
  await expect(mailer.send(mail)).rejects.toThrow(/^unknown, status 502$/);
  answer("none", "none");
  await expect(mailer.send(mail)).rejects.toThrow(/^no answer, status none$/);
});
