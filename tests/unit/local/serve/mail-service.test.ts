import { afterEach, describe, expect, it } from "vitest";
import type { EmailRequest } from "#local/mail/wire.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { createMailService } from "#local/serve/mail-service.ts";
import { servePrivately } from "#local/serve/private-services.ts";
import { connectMailer } from "#worker/adapters/resend.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const mail = {
  to: "ada@example.edu",
  subject: "Subject",
  html: "<p>Text</p>",
  text: "Text",
  idempotencyKey: "signup/1",
};

const createNoDatabase = () =>
  createNeonStandIn({
    run: () => Promise.reject(new Error("no database")),
    batch: () => Promise.reject(new Error("no database")),
    close: async () => {},
  });

/** The worker's mailer in front of a mail server that fails as often as `failures` says. */
async function open(failures: unknown[] = []) {
  const sent: EmailRequest[] = [];
  const service = createMailService(async (one) => {
    const failure = failures.shift();
    if (failure) throw failure;
    sent.push(one);
  });
  const { vars, close } = await servePrivately({ database: createNoDatabase(), mail: service });
  closers.push(close);
  const settings = { baseUrl: vars.RESEND_URL ?? "", from: "Lectures <lectures@example.edu>" };
  const connect = (apiKey = vars.RESEND_API_KEY ?? "") => connectMailer({ ...settings, apiKey });
  return { sent, vars, connect };
}

describe("mail by SMTP", () => {
  it("hands over what the worker sends", async () => {
    const { sent, connect } = await open();
    await connect().send(mail);
    const { idempotencyKey: _, to, ...content } = mail;
    expect(sent).toEqual([{ ...content, to: [to], from: "Lectures <lectures@example.edu>" }]);
  });

  it("sends a mail once, however often the worker repeats it", async () => {
    const { sent, connect } = await open();
    await Promise.all([connect().send(mail), connect().send(mail)]);
    await connect().send(mail);
    expect(sent).toHaveLength(1);
  });

  it("tries again what the server has not accepted", async () => {
    const { sent, connect } = await open([new Error("busy")]);
    await connect().send(mail);
    expect(sent).toHaveLength(1);
  });

  it("says what the library calls the failure, and not what the server has said", async () => {
    const failure = () =>
      Object.assign(new Error("550 ada@example.edu is unknown"), {
        code: "EENVELOPE",
        responseCode: 550,
      });
    const { connect } = await open([failure(), failure()]);
    await expect(connect().send(mail)).rejects.toThrow(/^smtp_EENVELOPE_550, status 502$/);
  });

  it("answers nobody who does not know the secret", async () => {
    const { sent, connect, vars } = await open();
    await expect(connect("another").send(mail)).rejects.toThrow("unauthorized, status 401");
    expect(sent).toEqual([]);
    const sql = new URL("/neon/sql", vars.RESEND_URL).href;
    const ask = (connection: string) =>
      fetch(sql, {
        method: "POST",
        headers: { "neon-connection-string": connection, "neon-raw-text-output": "true" },
        body: JSON.stringify({ query: "select 1", params: [] }),
      });
    expect((await ask("postgresql://worker:another@127.0.0.1/dualect")).status).toBe(401);
    expect((await ask(vars.DATABASE_URL ?? "")).status).toBe(503);
  });
});
